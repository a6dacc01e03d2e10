#include "analysis/statistics/distributions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace touchstone::analysis::statistics {
namespace {

/// Continued fraction of the incomplete beta function by Lentz's method; for x below the mean of the distribution.
/// Source: DLMF 8.17.22 (https://dlmf.nist.gov/8.17).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double h = d;
  for (int m = 1; m < 100000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    h *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    h *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return h;
}

/// Regularised incomplete beta function I_x(a, b); y = 1 - x is given too, so that neither loses digits.
double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(y));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, y) / b;
}

/// Regularised upper incomplete gamma function, for F with infinite df2.
/// Source: DLMF 8.7.1 (series) and 8.9.2 (continued fraction).
double gamma_upper(double a, double x) {
  if (x <= 0) return 1;
  const double front = std::exp(-x + a * std::log(x) - std::lgamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < 100000 && std::abs(term) > 1e-16 * std::abs(sum); ++n) sum += term *= x / (a + n);
    return 1 - front * sum;
  }
  double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (int n = 1; n < 100000; ++n) {
    const double step = n * (a - n);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    h *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return front * h;
}

/// The x >= 0 at which the falling function `upper` is `target`, by doubling and bisection.
template <class Upper>
double solve_falling(const Upper& upper, double target) {
  double low = 0, high = 1;
  while (upper(high) > target && high < 1e12) low = high, high *= 2;
  while (high - low > 1e-13 * high) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (upper(middle) > target ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Nodes and weights of the Gauss-Legendre rule of order 8 on [-1, 1]. Source: DLMF 3.5, Table 3.5.4.
constexpr std::array<std::pair<double, double>, 8> kGauss = {{{-0.9602898564975363, 0.1012285362903763},
                                                              {-0.7966664774136267, 0.2223810344533745},
                                                              {-0.5255324099163290, 0.3137066458778873},
                                                              {-0.1834346424956498, 0.3626837833783620},
                                                              {0.1834346424956498, 0.3626837833783620},
                                                              {0.5255324099163290, 0.3137066458778873},
                                                              {0.7966664774136267, 0.2223810344533745},
                                                              {0.9602898564975363, 0.1012285362903763}}};

/// Integral of `f` from `low` to `high` in equal panels of eight nodes.
template <class Function>
double integrate(const Function& f, double low, double high, int panels) {
  const double half = (high - low) / (2 * panels);
  double sum = 0;
  for (int panel = 0; panel < panels; ++panel) {
    const double centre = low + (2 * panel + 1) * half;
    for (const auto& [node, weight] : kGauss) sum += weight * f(centre + node * half);
  }
  return sum * half;
}

double normal_density(double z) {
  return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}

/// P(range of `groups` standard normals >= w) = 1 - groups * integral of phi(z) (Phi(z) - Phi(z - w))^(groups - 1).
double range_upper(double w, double groups) {
  constexpr double kEdge = 8;
  const double inside = integrate(
      [&](double z) {
        const double between = normal_cdf(z) - normal_cdf(z - w);
        return between > 0 ? normal_density(z) * std::pow(between, groups - 1) : 0;
      },
      -kEdge, kEdge, 16);
  return std::clamp(1 - groups * inside, 0.0, 1.0);
}

}  // namespace

double normal_cdf(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

double normal_quantile(double p) {
  if (p == 0.5) return 0;
  if (p > 0.5) return -normal_quantile(1 - p);
  return -solve_falling([](double z) { return normal_cdf(-z); }, p);
}

double t_two_sided(double t, double df) {
  if (std::isinf(t)) return 0;
  const double square = t * t;
  return incomplete_beta(df / 2, 0.5, df / (df + square), square / (df + square));
}

double t_critical(double alpha, double df) {
  return solve_falling([&](double t) { return t_two_sided(t, df); }, alpha);
}

double f_upper(double f, double df1, double df2) {
  if (f <= 0) return 1;
  if (std::isinf(f)) return 0;
  if (std::isinf(df2)) return gamma_upper(df1 / 2, df1 * f / 2);
  const double sum = df2 + df1 * f;
  return incomplete_beta(df2 / 2, df1 / 2, df2 / sum, df1 * f / sum);
}

double f_quantile(double p, double df1, double df2) {
  return solve_falling([&](double f) { return f_upper(f, df1, df2); }, 1 - p);
}

double fair_coin_lower(double k, double n) {
  if (k < 0) return 0;
  return k >= n ? 1 : incomplete_beta(n - k, k + 1, 0.5, 0.5);
}

double studentised_range_upper(double q, double groups, double df) {
  if (q <= 0) return 1;
  if (std::isinf(q)) return 0;
  // The estimate s of the standard deviation has the density of chi / sqrt(df), whose spread is about 1 / sqrt(2 df).
  const double reach = 9 / std::sqrt(2 * df);
  const int panels = df < 10 ? 24 : df < 100 ? 10 : 6;
  const double log_factor = std::log(2.0) + df / 2 * std::log(df / 2) - std::lgamma(df / 2);
  const auto value = [&](double s) {
    return std::exp(log_factor + (df - 1) * std::log(s) - df * s * s / 2) * range_upper(q * s, groups);
  };
  return std::clamp(integrate(value, std::max(0.0, 1 - reach), 1 + reach, panels), 0.0, 1.0);
}

double studentised_range_critical(double alpha, double groups, double df) {
  return solve_falling([&](double q) { return studentised_range_upper(q, groups, df); }, alpha);
}

}  // namespace touchstone::analysis::statistics
