#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace touchstone {

/// Whether a judgment holds a grade, and if not, why.
enum class JudgmentState : std::uint8_t {
  kJudged,           ///< there is a grade
  kUnparseable,      ///< the reply holds no answer of the form that was asked for
  kRefused,          ///< the judge declined to answer
  kFiltered,         ///< a filter of the provider held the answer back
  kTruncatedPrompt,  ///< the judge did not see the whole question
  kLengthLimited,    ///< the reply was cut at its greatest length
  kOtherModel,       ///< another model answered than the one that was asked
  kFailed,           ///< no reply: the request failed
  kTied,             ///< several judges or samples, and no grade has more votes than the others
  kUnsure            ///< the judge has read the passage and cannot tell; no error
};

/// Each state with its name in files and messages.
inline constexpr std::array<std::pair<JudgmentState, std::string_view>, 10> kJudgmentStates{{
    {JudgmentState::kJudged, "judged"},
    {JudgmentState::kUnparseable, "unparseable"},
    {JudgmentState::kRefused, "refused"},
    {JudgmentState::kFiltered, "filtered"},
    {JudgmentState::kTruncatedPrompt, "truncated"},
    {JudgmentState::kLengthLimited, "length-limited"},
    {JudgmentState::kOtherModel, "other-model"},
    {JudgmentState::kFailed, "failed"},
    {JudgmentState::kTied, "tied"},
    {JudgmentState::kUnsure, "unsure"},
}};

/// The names for files of records (common/records).
constexpr const auto& names_of(JudgmentState /*any*/) noexcept {
  return kJudgmentStates;
}

constexpr std::string_view to_string(JudgmentState state) noexcept {
  return kJudgmentStates[static_cast<std::size_t>(state)].second;
}

/// The state of that name, if there is one.
constexpr std::optional<JudgmentState> judgment_state_of(std::string_view name) noexcept {
  for (const auto& [state, state_name] : kJudgmentStates) {
    if (state_name == name) return state;
  }
  return std::nullopt;
}

}  // namespace touchstone
