#pragma once

#include "common/options.hpp"

#include <cstdint>
#include <optional>
#include <span>

/// Votes of several judges, people or models, on one item.
namespace touchstone {
namespace analysis::votes {

/// Which of the grades that share the most votes wins.
enum class TieRule : std::uint8_t { kLowest, kHighest, kNone };

/// The grade that most voters gave. `rule` decides when several grades have as many; nothing without voters, or with a
/// tie under kNone. Pure.
/// Source: FiRA's vote takes the unique mode, else the highest (Hofstätter et al., CIKM 2020); other tools the lowest.
std::optional<int> majority_grade(std::span<const int> grades, TieRule rule);

}  // namespace analysis::votes

template <>
struct Choices<analysis::votes::TieRule> {
  using Rule = analysis::votes::TieRule;
  static constexpr Choice<Rule> table[] = {
      {"lowest", Rule::kLowest}, {"highest", Rule::kHighest}, {"none", Rule::kNone}};
};

}  // namespace touchstone
