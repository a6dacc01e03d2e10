#pragma once

#include <string>
#include <string_view>

namespace touchstone::extractors::scan {

/// Value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// A copy of `text` with each `%XX` as the byte it stands for; other percent signs stay.
std::string decode_percent(std::string_view text);

}  // namespace touchstone::extractors::scan
