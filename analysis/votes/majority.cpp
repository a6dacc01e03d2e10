#include "analysis/votes/majority.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace touchstone::analysis::votes {

std::optional<int> majority_grade(std::span<const int> grades, TieRule rule) {
  std::map<int, std::size_t> counts;
  std::size_t most = 0;
  for (const int grade : grades) most = std::max(most, ++counts[grade]);
  std::optional<int> winner;
  for (const auto& [grade, count] : counts) {
    if (count != most) continue;
    if (!winner || rule == TieRule::kHighest) {
      winner = grade;
    } else if (rule == TieRule::kNone) {
      return std::nullopt;
    }
  }
  return winner;
}

}  // namespace touchstone::analysis::votes
