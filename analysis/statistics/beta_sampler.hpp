#pragma once

#include "analysis/statistics/random.hpp"

#include <cstdint>

namespace touchstone::analysis::statistics {

/// A random number from Beta(alpha, beta), as the ratio of two gamma numbers. Source of the gamma numbers: G.
/// Marsaglia, W. W. Tsang, "A Simple Method for Generating Gamma Variables", ACM TOMS 26(3), 2000; section 6 for shapes
/// below 1. \pre alpha > 0 and beta > 0
double draw_beta(double alpha, double beta, Random& random);

/// How many of `count` trials succeed, each with the probability `share`, 0 <= share <= 1. Where 30 or more of the
/// rarer result are expected, a rounded normal number takes the place of the sum over the distribution.
std::uint64_t draw_binomial(std::uint64_t count, double share, Random& random);

}  // namespace touchstone::analysis::statistics
