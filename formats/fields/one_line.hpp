#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

/// How foreign text is made to fit into one field of one line.
namespace touchstone::formats::fields {

/// The text as one field of one line: every control character and line separator (TAB, LF, CR, U+0085, U+2028, U+2029,
/// ...) becomes one space, and every byte that is not UTF-8 becomes U+FFFD. One code point gives one code point, so
/// that offsets into the text stay true.
std::string one_line(std::string_view text);

/// Whether `one_line` would change nothing.
bool is_one_line(std::string_view text) noexcept;

/// The same for a field of JSON, where line feeds stay: code keeps its lines.
std::string plain_lines(std::string_view text);

/// Whether `plain_lines` would change nothing.
bool is_plain_lines(std::string_view text) noexcept;

/// Whether the text holds nothing but white space and control characters.
bool is_blank(std::string_view text) noexcept;

/// Why `id` may not be in a column of a TREC or BEIR file, as the end of a sentence ("holds white space"); empty if
/// it may. Ids are 1 to 200 bytes of ASCII letters, digits and `- _ . : ~`, and start with a letter or a digit: no
/// quotes (CSV readers remove them), no slashes (ids become names of files), no white space (it ends the column).
std::string why_unsafe_id(std::string_view id);

/// Characters of ASCII and the texts that take their place.
using Replacements = std::span<const std::pair<char, std::string_view>>;
std::string replace_characters(std::string_view text, Replacements replacements);

}  // namespace touchstone::formats::fields
