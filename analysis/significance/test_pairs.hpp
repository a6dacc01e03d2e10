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
  double p_value = 1;        ///< without correction
  double effect_size = 0;    ///< mean difference over the standard deviation of the differences
  double low = 0, high = 0;  ///< interval of the difference
};

struct PairTests {
  std::vector<PairTest> pairs;  ///< in the order of the argument
  bool exact = false;           ///< all permutations were enumerated
};

/// \param interval_alpha  each interval by itself covers its difference at 1 - interval_alpha
/// \pre options.test is no test of Tukey
PairTests test_pairs(const statistics::ScoreMatrix& scores, std::span<const SystemPair> pairs,
                     const CompareOptions& options, double interval_alpha);

/// Throws ConfigError for fewer than two systems or topics, and if the permutations are too few for a p-value of alpha.
void check_data(const statistics::ScoreMatrix& scores, const CompareOptions& options);

}  // namespace touchstone::analysis::significance::internal
