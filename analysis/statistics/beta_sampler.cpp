#include "analysis/statistics/beta_sampler.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::analysis::statistics {
namespace {

/// Uniform on (0, 1).
double draw_uniform(Random& random) {
  return (static_cast<double>(random.word() >> 12) + 0.5) * 0x1p-52;
}

/// Standard normal. Source: G. Marsaglia, T. A. Bray, "A Convenient Method for Generating Normal Variables", 1964.
double draw_normal(Random& random) {
  double x = 0, square = 0;
  do {
    x = 2 * draw_uniform(random) - 1;
    const double y = 2 * draw_uniform(random) - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  return x * std::sqrt(-2 * std::log(square) / square);
}

/// From Gamma(shape, 1), shape > 0.
double draw_gamma(double shape, Random& random) {
  if (shape < 1) {
    const double power = std::pow(draw_uniform(random), 1 / shape);
    return draw_gamma(shape + 1, random) * power;
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = draw_normal(random), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(draw_uniform(random)) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

}  // namespace

double draw_beta(double alpha, double beta, Random& random) {
  const double first = draw_gamma(alpha, random), second = draw_gamma(beta, random);
  // Gamma numbers of tiny shapes can both be too small for a double; the distribution then lies at 0 and 1.
  if (first + second == 0) return draw_uniform(random) < alpha / (alpha + beta) ? 1 : 0;
  return first / (first + second);
}

std::uint64_t draw_binomial(std::uint64_t count, double share, Random& random) {
  if (count == 0 || share <= 0) return 0;
  if (share > 0.5) return count - draw_binomial(count, 1 - share, random);
  const double trials = static_cast<double>(count), mean = trials * share;
  constexpr double kMostSummed = 30;
  if (mean >= kMostSummed) {
    const double drawn = std::round(mean + std::sqrt(mean * (1 - share)) * draw_normal(random));
    return static_cast<std::uint64_t>(std::clamp(drawn, 0.0, trials));
  }
  const double target = draw_uniform(random), odds = share / (1 - share);
  double term = std::exp(trials * std::log1p(-share)), sum = term;
  std::uint64_t successes = 0;
  while (sum < target && successes < count && term > 0) {
    ++successes;
    const double k = static_cast<double>(successes);
    term *= odds * (trials - k + 1) / k;
    sum += term;
  }
  return successes;
}

}  // namespace touchstone::analysis::statistics
