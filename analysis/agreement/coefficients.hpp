#pragma once

#include "analysis/agreement/ratings.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Coefficients of the agreement between assessors. All functions are pure and thread-safe; a coefficient is NaN where
/// it is undefined.
namespace touchstone::analysis::agreement {

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

struct Interval {
  double low = 0, high = 0;
};

/// Confidence level of the intervals, unless another one is asked for.
inline constexpr double kIntervalLevel = 0.95;

/// Percentile bootstrap interval. Resamples whole topics, because an assessor judges all passages of a topic with one
/// idea of it; with a single topic, resamples its items. The same seed gives the same interval. The bounds are NaN if
/// the statistic was undefined in every resample.
Interval bootstrap_interval(const Ratings& ratings, const std::function<double(const Ratings&, ItemSet)>& statistic,
                            std::size_t resamples, std::uint64_t seed, double level = kIntervalLevel);

}  // namespace touchstone::analysis::agreement
