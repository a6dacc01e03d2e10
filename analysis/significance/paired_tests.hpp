#pragma once

#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Paired tests; all p-values are two-sided. The same input and seed give the same result at any number of threads.
namespace touchstone::analysis::significance::internal {

// p-values of tests that draw permutations or resamples.

/// (k + 1) / (B + 1), where k of B drawn samples reach the observed statistic. The observed data counts as one sample,
/// so that the test holds its level and no p-value is 0.
/// Source: B. Phipson, G. K. Smyth, "Permutation P-values Should Never Be Zero", SAGMB 2010; A. C. Davison,
/// D. V. Hinkley, "Bootstrap Methods and their Application", 1997, section 4.2.
double sampled_p_value(std::uint64_t reached, std::uint64_t drawn);

/// The largest number of samples that may reach a difference whose p-value is at most `alpha`. None if even a
/// difference that no sample reaches has a larger p-value.
std::optional<std::uint64_t> most_samples_reached(double alpha, std::uint64_t drawn);

struct Moments {
  double mean = 0, deviation = 0;  ///< standard deviation with n - 1; 0 if rounding alone could explain it
};
Moments moments(std::span<const double> values);

// p-values of one pair of systems, from its differences on each topic.
double t_test(std::span<const double> differences);
double wilcoxon_test(std::span<const double> differences);
double sign_test(std::span<const double> differences);

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

// The tests that use only the differences of a pair of systems.

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
