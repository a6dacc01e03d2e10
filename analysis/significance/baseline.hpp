#pragma once

#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstddef>
#include <vector>

namespace touchstone::analysis::significance {

/// How a system differs from the baseline. Differences are system minus baseline.
struct AgainstBaseline {
  std::size_t system = 0;  ///< index into the matrix's systems
  double difference = 0;   ///< of the means
  double p_value = 1;      ///< after correction
  double raw_p_value = 1;
  bool significant = false;          ///< p_value <= alpha
  double effect_size = 0;            ///< as PairComparison
  double low = 0, high = 0;          ///< as PairComparison
  double fcr_low = 0, fcr_high = 0;  ///< as PairComparison
  Wins wins;
};

/// All other systems against one.
struct BaselineComparison {
  CompareOptions options;
  std::size_t baseline = 0;
  std::vector<double> means;             ///< by system
  std::vector<std::size_t> ranking;      ///< systems by descending mean; ties in the matrix's order
  std::vector<AgainstBaseline> systems;  ///< by rank, without the baseline
  std::size_t significant = 0;
  IntervalKind intervals;  ///< under a correction at 1 - alpha / (systems - 1)
  bool exact = false;

  /// The system's row; null for the baseline.
  const AgainstBaseline* of(std::size_t system) const;
};

/// Throws ConfigError for the tests of Tukey, which are for all pairs.
void check_baseline_test(SignificanceTest test);

/// Tests each system against the baseline. Corrections are over the k - 1 pairs of k systems. Throws ConfigError as
/// compare_systems() and check_baseline_test().
BaselineComparison compare_with_baseline(const statistics::ScoreMatrix& scores, std::size_t baseline,
                                         const CompareOptions& options);

}  // namespace touchstone::analysis::significance
