#include "analysis/significance/sampled_p_values.hpp"

#include "analysis/significance/significance.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::analysis::significance::internal {

double sampled_p_value(std::uint64_t reached, std::uint64_t drawn) {
  return static_cast<double>(reached + 1) / static_cast<double>(drawn + 1);
}

std::optional<std::uint64_t> most_samples_reached(double alpha, std::uint64_t drawn) {
  if (!is_significant(sampled_p_value(0, drawn), alpha)) return std::nullopt;
  const double estimate = std::floor(alpha * static_cast<double>(drawn + 1));
  auto reached = std::min(static_cast<std::uint64_t>(estimate), drawn);
  while (reached > 0 && !is_significant(sampled_p_value(reached, drawn), alpha))
    --reached;  // the estimate is one too high, or rounded
  return reached;
}

}  // namespace touchstone::analysis::significance::internal
