#pragma once

#include <string>
#include <string_view>

namespace touchstone::extractors::site::internal {

/// The text without spaces at its ends.
constexpr std::string_view trim_spaces(std::string_view text) noexcept {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Cleans the blanks of a title: runs of Unicode blanks and underscores become one space, those at the ends go, and so
/// do bidi marks. Returns false when U+FFFD or malformed UTF-8 is met.
///
/// \param out  emptied first
bool clean_blanks(std::string_view text, std::string& out);

}  // namespace touchstone::extractors::site::internal
