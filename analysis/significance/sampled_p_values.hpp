#pragma once

#include <cstdint>
#include <optional>

/// p-values of tests that draw permutations or resamples.
namespace touchstone::analysis::significance::internal {

/// (k + 1) / (B + 1), where k of B drawn samples reach the observed statistic. The observed data counts as one sample,
/// so that the test holds its level and no p-value is 0.
/// Source: B. Phipson, G. K. Smyth, "Permutation P-values Should Never Be Zero", SAGMB 2010; A. C. Davison,
/// D. V. Hinkley, "Bootstrap Methods and their Application", 1997, section 4.2.
double sampled_p_value(std::uint64_t reached, std::uint64_t drawn);

/// The largest number of samples that may reach a difference whose p-value is at most `alpha`. None if even a
/// difference that no sample reaches has a larger p-value.
std::optional<std::uint64_t> most_samples_reached(double alpha, std::uint64_t drawn);

}  // namespace touchstone::analysis::significance::internal
