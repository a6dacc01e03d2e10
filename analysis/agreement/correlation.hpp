#pragma once

#include "analysis/agreement/rank_biased_overlap.hpp"
#include "analysis/agreement/rank_correlation.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstddef>
#include <string>

namespace touchstone::analysis::agreement {

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
