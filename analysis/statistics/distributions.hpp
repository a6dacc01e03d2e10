#pragma once

#include <cstddef>
#include <limits>
#include <span>

/// Distribution functions and quantiles of tests and intervals: Boost.Math's, and the studentised range, which Boost
/// lacks. The unit tests compare them with published tables. All functions are pure and thread-safe.
namespace touchstone::analysis::statistics {

/// P(Z <= z) of the standard normal distribution.
double normal_cdf(double z);

/// P(|T| >= |t|) of Student's t distribution with `df` > 0 degrees of freedom. `t` may be infinite.
double t_two_sided(double t, double df);
/// The t that |T| exceeds with probability `alpha`, 0 < alpha < 1.
double t_critical(double alpha, double df);

/// P(F >= f) of the F distribution with `df1`, `df2` > 0 degrees of freedom. `f` may be infinite.
double f_upper(double f, double df1, double df2);
/// The value below which F lies with probability `p`, 0 < p < 1. `df2` may be infinite.
double f_quantile(double p, double df1, double df2);

/// P(X <= k) of X heads in n throws of a fair coin.
double fair_coin_lower(double k, double n);

/// P(Q >= q) of the studentised range of `groups` >= 2 means with `df` >= 1 degrees of freedom. Absolute accuracy about
/// 1e-9. Source of the double integral: H. O. Hartley, "Studentization", Annals of Eugenics 1938; here by composite
/// Gauss-Legendre rules.
double studentised_range_upper(double q, double groups, double df);
/// The q that Q exceeds with probability `alpha`, 0 < alpha < 1.
double studentised_range_critical(double alpha, double groups, double df);

/// How numbers are spread; NaN where there is no number, or for the deviation fewer than two.
struct Spread {
  std::size_t count = 0;
  double mean = std::numeric_limits<double>::quiet_NaN();
  double deviation = mean;  ///< standard deviation with n - 1
  double lowest = mean, highest = mean;
};

/// Of the values that are not NaN. Adds in the order of the values, so that equal input gives equal bits. Pure.
Spread spread_of(std::span<const double> values);

}  // namespace touchstone::analysis::statistics
