#pragma once

#include "analysis/agreement/rank_biased_overlap.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

/// Correlation coefficients of two score lists over the same items. All functions are pure and thread-safe; a
/// coefficient is NaN where it is undefined.
namespace touchstone::analysis::agreement {

/// Pairs of items by how two score lists order them.
struct PairCounts {
  std::uint64_t pairs = 0, concordant = 0, discordant = 0;
  std::uint64_t tied_in_first = 0, tied_in_second = 0, tied_in_both = 0;  ///< the first two include the last
};

/// \pre x.size() == y.size(). O(n log n). Source: W. R. Knight, JASA 1966.
PairCounts count_pairs(std::span<const double> x, std::span<const double> y);

/// Kendall's tau. tau_a divides (concordant - discordant) by all pairs; tau_b divides it by the geometric mean of the
/// pairs not tied in x and the pairs not tied in y.
double kendall_tau_a(const PairCounts& counts);
double kendall_tau_b(const PairCounts& counts);
/// Percentage of pairs that are discordant.
double error_rate(const PairCounts& counts);

/// AP correlation of the estimated ranking `y` with the true ranking `x`: exchanges at the top weigh more. Not
/// symmetric. Higher scores rank first. Ties in `y` count as the mean over all ways to break them (tau_AP,a; without
/// ties it is tau_AP). Undefined if `x` has ties. O(n^2).
/// Sources: E. Yilmaz, J. A. Aslam, S. Robertson, SIGIR 2008; ties: J. Urbano, M. Marrero, ICTIR 2017.
double tau_ap_a(std::span<const double> x, std::span<const double> y);
/// tau_AP,b: symmetric, allows ties in both. Undefined if all items of a list are tied.
double tau_ap_b(std::span<const double> x, std::span<const double> y);

/// Pearson's correlation of the ranks. Equal values share their mean rank.
double spearman_rho(std::span<const double> x, std::span<const double> y);

namespace internal {
/// part / whole; NaN if `whole` is 0.
double ratio(double part, double whole);
}  // namespace internal

/// All coefficients of two rankings of systems.
struct Correlation {
  /// As SystemScores.
  std::string first_file, first_column, first_measure, second_file, second_column, second_measure;
  std::size_t common = 0, only_first = 0, only_second = 0;  ///< numbers of systems
  PairCounts pairs;
  double tau_a = 0, tau_b = 0, tau_ap_a = 0, tau_ap_b = 0, spearman = 0, average_overlap = 0;
  double p = 0.9;  ///< of rank-biased overlap
  Rbo rbo_a, rbo_b, rbo_w;
};

/// The first ranking is the true one where that matters (tau_AP). Coefficients of pairs use the common systems, the
/// overlaps use all. Throws Error if fewer than two systems are common.
Correlation correlate(const statistics::SystemScores& first, const statistics::SystemScores& second, double p);

}  // namespace touchstone::analysis::agreement
