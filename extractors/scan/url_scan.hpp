#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace touchstone::extractors::scan {

/// True when `text` begins with a URL scheme that wikitext makes links of ("http://", "mailto:", ...), in any case.
bool has_protocol(std::string_view text) noexcept;

/// Bytes of the blank at the start of `text`, of any width (Unicode category Zs); 0 when it begins otherwise.
std::size_t space_length(std::string_view text) noexcept;

/// Bytes of the URL at the start of `text`: up to a blank, bracket, quote or angle bracket, written or as a reference.
std::size_t url_length(std::string_view text) noexcept;

/// Value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// A copy of `text` with each `%XX` as the byte it represents; other percent signs stay.
std::string decode_percent(std::string_view text);

}  // namespace touchstone::extractors::scan
