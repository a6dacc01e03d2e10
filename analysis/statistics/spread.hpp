#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace touchstone::analysis::statistics {

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
