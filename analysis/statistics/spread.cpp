#include "analysis/statistics/spread.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::analysis::statistics {

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
