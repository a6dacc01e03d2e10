#include "pipeline/evidence/discard_reason.hpp"

#include <array>
#include <cstddef>

namespace touchstone::pipeline::evidence {
namespace {

/// By the number of the reason.
constexpr std::array<std::string_view, 15> kTexts = {"empty cell",
                                                     "cell without an article",
                                                     "member with too many backlinks",
                                                     "no member",
                                                     "too few members",
                                                     "too few cells lead to an article",
                                                     "too little evidence",
                                                     "same members as another topic",
                                                     "heading of no topic",
                                                     "members of another kind than the list",
                                                     "members of no common kind",
                                                     "contents of a page or series",
                                                     "no words for a query",
                                                     "doubtful evidence",
                                                     "section that many articles have"};

}  // namespace

std::string_view to_string(DiscardReason reason) noexcept {
  return kTexts[static_cast<std::size_t>(reason)];
}

std::optional<DiscardReason> discard_reason(std::string_view text) noexcept {
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    if (kTexts[i] == text) return static_cast<DiscardReason>(i);
  }
  return std::nullopt;
}

}  // namespace touchstone::pipeline::evidence
