#pragma once

#include "analysis/statistics/random.hpp"

namespace touchstone::analysis::adjudication::internal {

/// A random number from Beta(alpha, beta), as the ratio of two gamma numbers. Source of the gamma numbers: G.
/// Marsaglia, W. W. Tsang, "A Simple Method for Generating Gamma Variables", ACM TOMS 26(3), 2000. \pre alpha >= 1 and
/// beta >= 1
double draw_beta(double alpha, double beta, statistics::Random& random);

}  // namespace touchstone::analysis::adjudication::internal
