#pragma once

#include "analysis/significance/paired_tests.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <span>
#include <vector>

/// The tests that use only the differences of a pair of systems.
namespace touchstone::analysis::significance::internal {

/// The outcome for one pair; differences are first minus second.
struct PairTest {
  double p_value = 1;      ///< after correction
  double raw_p_value = 1;  ///< without it
  bool significant = false;
  double effect_size = 0;            ///< mean difference over the standard deviation of the differences
  double low = 0, high = 0;          ///< interval of the difference
  double fcr_low = 0, fcr_high = 0;  ///< if there is an IntervalKind::fcr_alpha
};

struct PairTests {
  std::vector<PairTest> pairs;  ///< in the order of the argument
  std::size_t significant = 0;
  IntervalKind intervals;
  bool exact = false;  ///< all permutations were enumerated
};

/// Tests the pairs, with the correction over them.
/// \pre options.test is not a test of Tukey
PairTests test_pairs(const statistics::ScoreMatrix& scores, std::span<const SystemPair> pairs,
                     const CompareOptions& options);

/// Throws ConfigError for fewer than two systems or topics, and if the permutations are too few for a p-value of alpha.
void check_data(const statistics::ScoreMatrix& scores, const CompareOptions& options);

}  // namespace touchstone::analysis::significance::internal
