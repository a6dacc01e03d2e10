#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// What may stand in a field of an exchange format, and how foreign text is made to fit.
namespace touchstone::formats {

/// The text as one field of one line: every control character and line separator (TAB, LF, CR, U+0085, U+2028, U+2029,
/// ...) becomes one space and every byte that is not UTF-8 becomes U+FFFD. One code point gives one code point, so
/// offsets into the text stay true.
std::string one_line(std::string_view text);

/// Whether `one_line` would change nothing.
bool is_one_line(std::string_view text) noexcept;

/// Whether there is nothing to read in it: empty, or only white space and control characters.
bool is_blank(std::string_view text) noexcept;

/// Why `id` may not stand in a column of a TREC or BEIR file, as the end of a sentence ("holds white space"); empty
/// when it may. Ids are 1 to 200 bytes of ASCII letters, digits and `- _ . : ~`, and start with a letter or a digit: no
/// quotes (CSV readers eat them), no slashes (they become folders), no white space (it ends the column).
std::string why_unsafe_id(std::string_view id);

std::string joined(const std::vector<std::string>& texts, std::string_view between);

/// `a » b » c`, as section paths and structured queries are shown.
std::string join_path(const std::vector<std::string>& parts);

/// The text for HTML, between tags and in quoted attributes.
std::string escape_html(std::string_view text);

/// A value from a file, quoted for a message: made one line, and cut after 60 code points.
std::string quote_for_message(std::string_view value);

}  // namespace touchstone::formats
