#include "analysis/studies/coverage/log_curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone::analysis::studies::coverage {

double LogCurve::at(double x) const {
  return a + b * std::log(x);
}

LogCurve fit_log_curve(std::span<const double> y) {
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  if (y.size() < 2) return {kUndefined, kUndefined, kUndefined, kUndefined};
  const auto n = static_cast<double>(y.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    mean_x += std::log(static_cast<double>(i + 1)) / n;
    mean_y += y[i] / n;
  }
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double x = std::log(static_cast<double>(i + 1)) - mean_x;
    products += x * (y[i] - mean_y);
    squares += x * x;
  }
  LogCurve curve;
  curve.b = products / squares;
  curve.a = mean_y - curve.b * mean_x;
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = std::abs(curve.at(static_cast<double>(i + 1)) - y[i]);
    sum += error * error;
    curve.largest_error = std::max(curve.largest_error, error);
  }
  curve.rmse = std::sqrt(sum / n);
  return curve;
}

}  // namespace touchstone::analysis::studies::coverage
