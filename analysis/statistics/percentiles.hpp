#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace touchstone::analysis::statistics {

/// Bounds of a confidence interval.
struct Interval {
  double low = 0, high = 0;
};

/// Confidence level of the intervals, unless another one is asked for.
inline constexpr double kIntervalLevel = 0.95;

/// The percentile interval of a bootstrap: of B sorted values, those of rank B a and B (1 - a), rounded up, with
/// a = (1 - level) / 2. Values that are NaN do not count; NaN if none is left. \param values  of a statistic, one a
/// resample Source: B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, section 13.3.
inline Interval percentile_interval(std::vector<double> values, double level = kIntervalLevel) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    constexpr double kRounding = 1e-9;  // (1 - 0.95) / 2 is more than 0.025
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()) - kRounding));
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
  };
  return {at((1 - level) / 2), at((1 + level) / 2)};
}

}  // namespace touchstone::analysis::statistics
