#pragma once

/// Distribution functions that tests and intervals need. Relative accuracy about 1e-10 in the range where p-values and
/// critical values lie (the unit tests compare with published tables). Pure and thread-safe.
namespace touchstone::analysis::statistics {

/// Standard normal: P(Z <= z), and its inverse for 0 < p < 1.
double normal_cdf(double z);
double normal_quantile(double p);

/// P(|T| >= |t|) of Student's t with `df` > 0 degrees of freedom.
double t_two_sided(double t, double df);
/// The t that is exceeded in absolute value with probability `alpha`.
double t_critical(double alpha, double df);

/// P(F >= f) for `df1`, `df2` > 0 degrees of freedom. `df2` may be infinite.
double f_upper(double f, double df1, double df2);
/// The value below which F lies with probability `p`, 0 < p < 1.
double f_quantile(double p, double df1, double df2);

/// P(X <= k) of X heads in n throws of a fair coin.
double fair_coin_lower(double k, double n);

/// P(Q >= q) of the studentised range of `groups` >= 2 means with `df` >= 1 degrees of freedom.
/// Source of the double integral: H. O. Hartley, "Studentization", Annals of Eugenics 1938; integrated by composite
/// Gauss-Legendre rules. Absolute accuracy about 1e-9.
double studentised_range_upper(double q, double groups, double df);
/// The q that is exceeded with probability `alpha`.
double studentised_range_critical(double alpha, double groups, double df);

}  // namespace touchstone::analysis::statistics
