#include "common/judgment_state.hpp"

#include <array>

namespace touchstone {
namespace {

/// By JudgmentState.
constexpr std::array<const char*, 8> kNames = {"judged",    "unparseable",    "refused", "filtered",
                                               "truncated", "length-limited", "failed",  "tied"};

}  // namespace

const char* to_string(JudgmentState state) noexcept {
  return kNames[static_cast<std::size_t>(state)];
}

std::optional<JudgmentState> judgment_state(std::string_view name) noexcept {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<JudgmentState>(i);
  }
  return std::nullopt;
}

}  // namespace touchstone
