#pragma once

#include <span>

namespace touchstone::analysis::studies::coverage {

/// y = a + b ln(x), fitted by least squares.
struct LogCurve {
  double a = 0, b = 0;
  double rmse = 0, largest_error = 0;  ///< over the points of the fit
  double at(double x) const;
};

/// Fits the points (1, y[0]), (2, y[1]), ... NaN coefficients for fewer than two points. Pure.
/// Source: D-MERIT, appendix E.1: coverage is concave and grows, so that a logarithm fits it.
LogCurve fit_log_curve(std::span<const double> y);

}  // namespace touchstone::analysis::studies::coverage
