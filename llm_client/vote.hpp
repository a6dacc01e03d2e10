#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace touchstone::llm_client {

/// Which of the grades that share the most votes wins.
enum class TieRule : std::uint8_t { kLowest, kHighest, kNone };

/// The grade that most voters gave; by `rule` when several grades have as many; nothing without voters, or with a tie
/// under kNone. Pure.
/// Source: FiRA's vote takes the unique mode, else the highest (Hofstätter et al., CIKM 2020); other tools the lowest.
std::optional<int> majority_grade(std::span<const int> grades, TieRule rule);

}  // namespace touchstone::llm_client
