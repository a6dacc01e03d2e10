#pragma once

#include <cstdint>
#include <string_view>

namespace touchstone {

/// What became of a thing that was not as it should be.
enum class RejectSeverity : std::uint8_t {
  kLeftOut,     ///< it is not in the output
  kKept,        ///< it is in the output all the same
  kSuperseded,  ///< another copy of it is in the output
  kNotMeant,    ///< it is not in the output and need not be, such as an empty page
};

/// How a reason is written in reports, and what it means: a row of the table of an enum of reasons. Each such enum has
/// a function `describe` that gives its row.
struct RejectReason {
  std::string_view text;
  RejectSeverity severity = RejectSeverity::kLeftOut;
};

}  // namespace touchstone
