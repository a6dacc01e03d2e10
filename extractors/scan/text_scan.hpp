#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace touchstone::extractors::scan {

/// The blanks that wikitext trims: space, tab, line ends, NUL and vertical tab.
constexpr bool is_trimmed(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0' || c == '\v';
}

constexpr std::string_view trim_left(std::string_view text) noexcept {
  while (!text.empty() && is_trimmed(text.front())) text.remove_prefix(1);
  return text;
}

constexpr std::string_view trim_right(std::string_view text) noexcept {
  while (!text.empty() && is_trimmed(text.back())) text.remove_suffix(1);
  return text;
}

constexpr std::string_view trim(std::string_view text) noexcept {
  return trim_right(trim_left(text));
}

constexpr char ascii_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) noexcept {
  return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}
constexpr bool is_alphanumeric(char c) noexcept {
  return is_digit(c) || is_letter(c);
}

/// True for a text of digits, one at least.
constexpr bool all_digits(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

constexpr bool starts_with(std::string_view text, std::string_view head) noexcept {
  return text.substr(0, head.size()) == head;
}

/// \param head  in lower case
constexpr bool starts_with_ignoring_case(std::string_view text, std::string_view head) noexcept {
  if (text.size() < head.size()) return false;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (ascii_lower(text[i]) != head[i]) return false;
  }
  return true;
}

/// \param lower  in lower case
constexpr bool equals_ignoring_case(std::string_view text, std::string_view lower) noexcept {
  return text.size() == lower.size() && starts_with_ignoring_case(text, lower);
}

/// Calls `use` for each part of a list. An empty list has none.
template <class Use>
void for_each_part(std::string_view list, char mark, Use&& use) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(mark), list.size());
    use(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

}  // namespace touchstone::extractors::scan
