#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace touchstone {

/// Longest text of a stranger in a message, in bytes.
inline constexpr std::size_t kShownBytes = 300;

/// A text that a stranger wrote, such as a server, as it may be shown on a terminal and in a report: one line of
/// well-formed UTF-8, at most `max_bytes` long. Control characters, line separators, and characters without a glyph
/// that change how others are shown (direction, joining) become blanks; a text that is cut ends in "...". Takes any
/// bytes. Pure and thread-safe.
std::string shown_text(std::string_view text, std::size_t max_bytes = kShownBytes);

}  // namespace touchstone
