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

/// Whether the permutation test tries all 2^topics assignments of signs instead of drawing some.
bool tries_all_signs(std::size_t topics, std::uint64_t permutations);

/// Result of the permutation test for each pair: the share of sign assignments whose mean difference is at least as
/// large in absolute value; sampled_p_value() if they are drawn.
struct PermutationResult {
  std::vector<double> p_values;
  bool exact = false;  ///< all 2^topics assignments were counted
};
PermutationResult permutation_tests(const statistics::ScoreMatrix& scores, std::span<const SystemPair> pairs,
                                    std::uint64_t permutations, std::uint64_t seed, int threads);

struct BootstrapResult {
  double p_value;
  double critical_t;  ///< p_value <= alpha exactly if |t| is larger; infinite if the resamples cannot show that
};
/// Studentised bootstrap of each pair. p-values are sampled_p_value(). Throws ConfigError if the resamples need too
/// much memory.
std::vector<BootstrapResult> bootstrap_tests(const statistics::ScoreMatrix& scores, std::span<const SystemPair> pairs,
                                             std::uint64_t resamples, std::uint64_t seed, double alpha, int threads);

}  // namespace touchstone::analysis::significance::internal
