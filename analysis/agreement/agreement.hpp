#pragma once

#include "formats/trec/qrels.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// How far assessors agree who judged the same passages.
namespace touchstone::analysis {

/// Grades of several assessors, row-major: `grades[item * assessors.size() + assessor]`.
struct Ratings {
  static constexpr int kMissing = std::numeric_limits<int>::min();

  std::vector<std::string> assessors;
  std::vector<std::pair<std::string, std::string>> items;  ///< topic and docid, in byte order
  std::vector<int> grades;                                 ///< kMissing: not judged

  int at(std::size_t item, std::size_t assessor) const { return grades[item * assessors.size() + assessor]; }
  bool is_complete(std::size_t item) const;
};

/// All judgments of the files, one assessor each, who is named as the file. Throws as formats::trec::read_qrels(), and
/// FormatError when no item was judged by two of them.
Ratings read_ratings(std::span<const std::filesystem::path> qrels);

/// The items that every assessor judged, without those of `excluded_topics`.
Ratings complete_ratings(const Ratings& ratings, std::span<const std::string> excluded_topics = {});

/// The two-grade view: 1 for grades of at least `min_grade`, else 0.
Ratings binary_view(const Ratings& ratings, int min_grade);

/// Only two of the assessors, with the items that both judged.
Ratings pair_of_assessors(const Ratings& ratings, std::size_t first, std::size_t second);

/// What the coefficients below are computed over: indices of items, repeated ones count again (bootstrap).
using ItemSet = std::span<const std::uint32_t>;
std::vector<std::uint32_t> all_items(const Ratings& ratings);

/// A statistic of ratings; NaN where undefined.
using AgreementStatistic = double (*)(const Ratings&, ItemSet);

/// Share of items on which all assessors gave the same grade. \pre complete ratings
double overlap(const Ratings& ratings, ItemSet items);
/// Cohen's kappa; with more than two assessors the mean over their pairs. NaN where chance alone would agree always.
/// \pre complete ratings. Source: J. Cohen, Educational and Psychological Measurement 1960.
double cohen_kappa(const Ratings& ratings, ItemSet items);
/// Fleiss' kappa. \pre complete ratings. Source: J. L. Fleiss, Psychological Bulletin 1971.
double fleiss_kappa(const Ratings& ratings, ItemSet items);
/// Krippendorff's alpha by how different two grades are: alike or not, by the ranks between them, or by the square of
/// their distance. Missing grades are allowed. Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability",
/// 2011.
double krippendorff_nominal(const Ratings& ratings, ItemSet items);
double krippendorff_ordinal(const Ratings& ratings, ItemSet items);
double krippendorff_interval(const Ratings& ratings, ItemSet items);

/// Mean of the statistic over topics, each topic's items alone; topics where it is undefined are left out.
double macro_mean(const Ratings& ratings, ItemSet items, AgreementStatistic statistic);

struct Interval {
  double low = 0, high = 0;
};

/// Percentile bootstrap over topics (over items if there is one topic): the passages of a topic are judged with one
/// idea of it, so they do not count one by one. Deterministic for a seed. NaN bounds where the statistic was undefined
/// in each resample.
Interval bootstrap_interval(const Ratings& ratings, const std::function<double(const Ratings&, ItemSet)>& statistic,
                            std::size_t resamples, std::uint64_t seed, double level = 0.95);

/// How often a grade of the first assessor (row) met one of the second (column).
struct GradeTransitions {
  std::vector<int> grades;            ///< those that occur, ascending
  std::vector<std::uint64_t> counts;  ///< [row][column]
  std::uint64_t at(std::size_t row, std::size_t column) const { return counts[row * grades.size() + column]; }
};
GradeTransitions grade_transitions(const Ratings& ratings, std::size_t first, std::size_t second);

/// Number of judgments of each grade, ascending by grade.
std::vector<std::pair<int, std::uint64_t>> grade_counts(std::span<const formats::trec::QrelRecord> qrels);

enum class RollUp : std::uint8_t { kMax, kSum };

/// Grades of documents from those of their passages: the docid up to the last `separator` is the document's. A negative
/// grade (in the pool but not judged) counts only where a document has no other. By topic and document in byte order.
/// Throws FormatError for a docid without the separator, and for a sum above formats::trec::kMaxGrade.
/// Source: S. Hofstaetter et al., "Fine-Grained Relevance Annotations for Multi-Task Document Ranking and Question
/// Answering", CIKM 2020.
std::vector<formats::trec::QrelRecord> roll_up_grades(std::span<const formats::trec::QrelRecord> qrels, RollUp how,
                                                char separator = '_');

}  // namespace touchstone::analysis
