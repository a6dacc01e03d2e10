#pragma once

#include "analysis/significance/score_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// Tests of one pair, from the differences on each topic, and resampling tests of all pairs at once.
namespace touchstone::analysis::internal {

/// Differences nearer than this are taken for equal: scores are sums of rounded fractions.
inline constexpr double kEqualScores = 1e-12;

struct Moments {
  double mean = 0, deviation = 0;  ///< standard deviation with n - 1
};
Moments moments(std::span<const double> differences);

double t_test(std::span<const double> differences);
double wilcoxon_test(std::span<const double> differences);
double sign_test(std::span<const double> differences);

/// Pair of systems whose difference is tested.
struct SystemPair {
  std::size_t first, second;
};

/// For each pair the share of sign assignments whose mean difference is as large in absolute value; `exact` tells
/// whether all 2^topics were looked at.
std::vector<double> permutation_tests(const ScoreMatrix& scores, std::span<const SystemPair> pairs,
                                      std::uint64_t permutations, std::uint64_t seed, int threads, bool& exact);

struct BootstrapResult {
  double p_value, critical_t;  ///< the 1 - alpha quantile of |t*|
};
std::vector<BootstrapResult> bootstrap_tests(const ScoreMatrix& scores, std::span<const SystemPair> pairs,
                                             std::uint64_t resamples, std::uint64_t seed, double alpha, int threads);

}  // namespace touchstone::analysis::internal
