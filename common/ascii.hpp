#pragma once

#include <string>
#include <string_view>

/// Letters and digits of ASCII, whatever the locale. All other bytes are neither, and have no case.
namespace touchstone {

constexpr bool is_ascii_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool is_ascii_alphanumeric(char c) noexcept {
  return is_ascii_letter(c) || (c >= '0' && c <= '9');
}

constexpr char ascii_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ascii_lower(c);
  return lower;
}

/// The value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  const char letter = ascii_lower(c);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace touchstone
