#include "analysis/statistics/distributions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/policies/policy.hpp>

namespace touchstone::analysis::statistics {
namespace {

namespace policies = boost::math::policies;

/// For p-values, of which a comparison has one for each pair of systems. Boost's default, to compute in long double,
/// takes five times as long and changes the 15th digit.
using InDouble = policies::policy<policies::promote_double<false>>;
/// For quantiles. One beyond the largest double is infinite; by default Boost throws.
using InfiniteOverflow = policies::policy<policies::overflow_error<policies::ignore_error>>;
template <class Policy>
using StudentsT = boost::math::students_t_distribution<double, Policy>;

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

double t_two_sided(double t, double df) {
  if (std::isinf(t)) return 0;
  return 2 * cdf(complement(StudentsT<InDouble>(df), std::abs(t)));
}

double t_critical(double alpha, double df) {
  return quantile(complement(StudentsT<InfiniteOverflow>(df), alpha / 2));
}

double f_upper(double f, double df1, double df2) {
  if (f <= 0) return 1;
  return std::isinf(f) ? 0 : cdf(complement(boost::math::fisher_f(df1, df2), f));
}

double f_quantile(double p, double df1, double df2) {
  if (std::isinf(df2)) return quantile(boost::math::chi_squared(df1), p) / df1;  // the limit
  return quantile(boost::math::fisher_f(df1, df2), p);
}

double fair_coin_lower(double k, double n) {
  if (k < 0) return 0;
  return k >= n ? 1 : cdf(boost::math::binomial_distribution<double, InDouble>(n, 0.5), k);
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

Spread spread_of(std::span<const double> values) {
  Spread spread;
  double sum = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    spread.lowest = spread.count == 0 ? value : std::min(spread.lowest, value);
    spread.highest = spread.count == 0 ? value : std::max(spread.highest, value);
    ++spread.count;
  }
  if (spread.count == 0) return spread;
  spread.mean = sum / static_cast<double>(spread.count);
  if (spread.count < 2) return spread;
  double squares = 0;
  for (const double value : values) {
    if (!std::isnan(value)) squares += (value - spread.mean) * (value - spread.mean);
  }
  spread.deviation = std::sqrt(squares / static_cast<double>(spread.count - 1));
  return spread;
}

}  // namespace touchstone::analysis::statistics
