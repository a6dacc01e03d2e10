#include "analysis/adjudication/beta_sampler.hpp"

#include <cmath>

namespace touchstone::analysis::adjudication::internal {
namespace {

/// Uniform on (0, 1).
double draw_uniform(statistics::Random& random) {
  return (static_cast<double>(random.word() >> 12) + 0.5) * 0x1p-52;
}

/// Standard normal. Source: G. Marsaglia, T. A. Bray, "A Convenient Method for Generating Normal Variables", 1964.
double draw_normal(statistics::Random& random) {
  double x = 0, square = 0;
  do {
    x = 2 * draw_uniform(random) - 1;
    const double y = 2 * draw_uniform(random) - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  return x * std::sqrt(-2 * std::log(square) / square);
}

/// From Gamma(shape, 1), shape >= 1.
double draw_gamma(double shape, statistics::Random& random) {
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = draw_normal(random), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(draw_uniform(random)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

}  // namespace

double draw_beta(double alpha, double beta, statistics::Random& random) {
  const double first = draw_gamma(alpha, random), second = draw_gamma(beta, random);
  return first / (first + second);
}

}  // namespace touchstone::analysis::adjudication::internal
