#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace touchstone {

/// Why a judgment holds a grade, or does not.
enum class JudgmentState : std::uint8_t {
  kJudged,
  kUnparseable,      ///< the reply is no answer
  kRefused,          ///< the judge declined
  kFiltered,         ///< the provider withheld the reply
  kTruncatedPrompt,  ///< the judge did not get the whole question
  kLengthLimited,    ///< the reply was cut at its longest
  kFailed,           ///< no reply, or an error
  kTied              ///< several judges or samples, and no grade has more votes than the others
};

/// As files have it: "judged", "unparseable", "refused", "filtered", "truncated", "length-limited", "failed", "tied".
const char* to_string(JudgmentState state) noexcept;
/// The state of that name, or nothing.
std::optional<JudgmentState> judgment_state(std::string_view name) noexcept;

}  // namespace touchstone
