#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::analysis::agreement {

/// Grades that several assessors gave to the same items (passages for a topic). Row-major:
/// `grades[item * assessors.size() + assessor]`.
struct Ratings {
  static constexpr int kMissing = std::numeric_limits<int>::min();

  std::vector<std::string> assessors;
  std::vector<std::pair<std::string, std::string>> items;  ///< topic and docid, in byte order
  std::vector<int> grades;                                 ///< kMissing: this assessor did not judge the item

  int at(std::size_t item, std::size_t assessor) const { return grades[item * assessors.size() + assessor]; }
  /// Whether every assessor judged the item.
  bool is_complete(std::size_t item) const;
};

/// Reads one qrels file for each assessor; the file's name is the assessor's name, its path if two
/// files have the same name. Throws as
/// formats::trec::read_qrels(), and FormatError if no two assessors judged a common item.
Ratings read_ratings(std::span<const std::filesystem::path> qrels);

/// All items except those of `excluded_topics`.
Ratings without_topics(const Ratings& ratings, std::span<const std::string> excluded_topics);

/// The items that every assessor judged, except those of `excluded_topics`.
Ratings complete_ratings(const Ratings& ratings, std::span<const std::string> excluded_topics = {});

/// Two grades instead of many: 1 for grades of at least `min_grade`, else 0.
Ratings binary_ratings(const Ratings& ratings, int min_grade);

/// Two of the assessors, with the items that both judged.
Ratings pair_of_assessors(const Ratings& ratings, std::size_t first, std::size_t second);

/// Number of judgments of one assessor by grade.
std::map<int, std::uint64_t> grade_counts_of(const Ratings& ratings, std::size_t assessor);

/// Confusion matrix of two assessors: how often the first gave the row's grade and the second the column's.
struct GradeTransitions {
  std::vector<int> grades;            ///< those that occur, ascending
  std::vector<std::uint64_t> counts;  ///< [row][column]
  std::uint64_t at(std::size_t row, std::size_t column) const { return counts[row * grades.size() + column]; }
};
GradeTransitions grade_transitions(const Ratings& ratings, std::size_t first, std::size_t second);

namespace internal {

/// The grades that occur, ascending.
std::vector<int> distinct_grades(const Ratings& ratings);
/// Index of a grade in the ascending list that holds it.
std::size_t index_of(const std::vector<int>& grades, int grade);

}  // namespace internal
}  // namespace touchstone::analysis::agreement
