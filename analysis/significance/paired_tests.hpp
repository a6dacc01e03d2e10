#pragma once

#include "analysis/statistics/score_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// Paired tests; all p-values are two-sided. The same input and seed give the same result at any number of threads.
namespace touchstone::analysis::significance::internal {

struct Moments {
  double mean = 0, deviation = 0;  ///< standard deviation with n - 1; 0 if rounding alone could explain it
};
Moments moments(std::span<const double> values);

// p-values of one pair of systems, from its differences on each topic.
double t_test(std::span<const double> differences);
double wilcoxon_test(std::span<const double> differences);
double sign_test(std::span<const double> differences);

/// Indices of two systems.
struct SystemPair {
  std::size_t first, second;
};

/// Result of the permutation test for each pair: the share of sign assignments whose mean difference is at least as
/// large in absolute value.
struct PermutationResult {
  std::vector<double> p_values;
  bool exact = false;  ///< all 2^topics assignments were counted
};
PermutationResult permutation_tests(const statistics::ScoreMatrix& scores, std::span<const SystemPair> pairs,
                                    std::uint64_t permutations, std::uint64_t seed, int threads);

struct BootstrapResult {
  double p_value, critical_t;  ///< quantile of |t*| at 1 - alpha
};
/// Studentised bootstrap of each pair. Throws ConfigError if the resamples need too much memory.
std::vector<BootstrapResult> bootstrap_tests(const statistics::ScoreMatrix& scores, std::span<const SystemPair> pairs,
                                             std::uint64_t resamples, std::uint64_t seed, double alpha, int threads);

}  // namespace touchstone::analysis::significance::internal
