#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace touchstone {

/// Foreign text as it may be shown: each character that moves the cursor, changes the direction of the text or ends the
/// line becomes an escape such as `\u202e`, and each byte that is no UTF-8 one such as `\xff`. These are the control
/// characters (C0, DEL, C1), U+061C, U+200E, U+200F, U+2028 to U+202E and U+2066 to U+2069. All else, all of Arabic
/// included, stays as it is. Pure.
/// Source: Unicode 15, UAX #9 (bidirectional formatting characters) and section 23.1 (control codes).
std::string display_text(std::string_view text);

/// The same for text of several lines: line feeds stay.
std::string display_lines(std::string_view text);

/// Longest excerpt of a stranger's text in a message, in bytes.
inline constexpr std::size_t kExcerptBytes = 300;

/// A text that a stranger wrote, such as a server, as it may be within a sentence: one line of well-formed UTF-8, at
/// most `max_bytes` long. Control characters, line separators, and characters without a glyph that change how others
/// are shown (direction, joining) become blanks; a text that is cut ends in "...". Takes any bytes. Pure.
std::string display_excerpt(std::string_view text, std::size_t max_bytes = kExcerptBytes);

/// Whether display_text() escapes the character.
bool is_display_hazard(char32_t code_point) noexcept;

/// A word of a command that a message proposes, as a shell reads it back: with quotes where it needs them.
std::string shell_word(std::string_view word);

}  // namespace touchstone
