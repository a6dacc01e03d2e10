#pragma once

#include "analysis/statistics/percentiles.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Coefficients of the agreement between assessors. All functions are pure and thread-safe; a coefficient is NaN where
/// it is undefined.
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

/// Indices of the items that a coefficient is computed over. An index that is repeated counts again, which the
/// bootstrap needs.
using ItemSet = std::span<const std::uint32_t>;
std::vector<std::uint32_t> all_items(const Ratings& ratings);

using AgreementStatistic = double (*)(const Ratings&, ItemSet);

/// Share of the items to which all assessors gave the same grade. \pre complete ratings
double overlap(const Ratings& ratings, ItemSet items);
/// Cohen's kappa, for more than two assessors the mean over their pairs. Undefined if agreement by chance is certain.
/// \pre complete ratings. Source: J. Cohen, Educational and Psychological Measurement 1960.
double cohen_kappa(const Ratings& ratings, ItemSet items);
/// Fleiss' kappa. \pre complete ratings. Source: J. L. Fleiss, Psychological Bulletin 1971.
double fleiss_kappa(const Ratings& ratings, ItemSet items);
/// Krippendorff's alpha; grades may be missing. The difference of two grades is whether they differ (nominal), the
/// number of ranks between them (ordinal), or the square of their distance (interval).
/// Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.
double krippendorff_nominal(const Ratings& ratings, ItemSet items);
double krippendorff_ordinal(const Ratings& ratings, ItemSet items);
double krippendorff_interval(const Ratings& ratings, ItemSet items);

/// Mean of the statistic over topics, each topic computed alone. Topics where the statistic is undefined are left out.
double macro_mean(const Ratings& ratings, ItemSet items, AgreementStatistic statistic);

using statistics::Interval;
using statistics::kIntervalLevel;

/// Percentile bootstrap interval. Resamples whole topics, because an assessor judges all passages of a topic with one
/// idea of it; with a single topic, resamples its items. The same seed gives the same interval. The bounds are NaN if
/// the statistic was undefined in every resample.
Interval bootstrap_interval(const Ratings& ratings, const std::function<double(const Ratings&, ItemSet)>& statistic,
                            std::size_t resamples, std::uint64_t seed, double level = kIntervalLevel);

// How far assessors agree who judged the same passages.

struct AgreementOptions {
  int min_grade = 2;             ///< lowest grade that becomes 1 in the two-grade view
  std::size_t resamples = 1000;  ///< of the bootstrap
  std::uint64_t seed = 1;        ///< of the bootstrap
  std::vector<std::string> excluded_topics;
};

/// A coefficient of agreement with its 95 % bootstrap interval.
struct AgreementCoefficient {
  std::string_view name;  ///< "Cohen kappa"
  double value = 0;
  Interval interval;
};

struct AssessorAgreement {
  Ratings ratings;                 ///< without the excluded topics
  std::size_t complete_items = 0;  ///< judged by all assessors
  AgreementOptions options;
  std::vector<AgreementCoefficient> all_grades, two_grades;  ///< the same coefficients in the same order
};

/// Computes all coefficients over all grades and over two. Krippendorff's alpha uses every item, the others only items
/// that all assessors judged. Deterministic for a seed. Throws Error if no passage was judged by all assessors.
AssessorAgreement measure_agreement(const Ratings& ratings, const AgreementOptions& options);

}  // namespace touchstone::analysis::agreement
