#pragma once

#include "formats/car/ids.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace touchstone::formats::car::testing {

/// The characters that unambiguous ids do not escape.
inline bool is_kept(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.' || c == '~';
}

inline int digit_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Undoes the escaping of a text. Returns nothing if no text is escaped like this.
template <class Kept>
std::optional<std::string> unescape_exactly(std::string_view escaped, Kept kept) {
  std::string text;
  for (std::size_t at = 0; at < escaped.size(); ++at) {
    char c = escaped[at];
    if (c != '%') {
      if (!kept(c)) return std::nullopt;
      text += c;
      continue;
    }
    if (at + 2 >= escaped.size()) return std::nullopt;
    const int high = digit_value(escaped[at + 1]);
    const int low = digit_value(escaped[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    c = static_cast<char>(high * 16 + low);
    if (kept(c)) return std::nullopt;
    text += c;
    at += 2;
  }
  return text;
}

/// The name that has this unambiguous id; nothing if no name has it.
inline std::optional<SectionName> parse_unambiguous_id(std::string_view id) {
  SectionName name;
  const auto kept_with_colon = [](char c) { return is_kept(c) || c == ':'; };
  std::string_view title = id.substr(0, id.find('/'));
  std::string_view rest = id.substr(title.size());
  const auto colon = title.find(':');
  if (colon != std::string_view::npos) {
    name.site = title.substr(0, colon);
    title.remove_prefix(colon + 1);
    for (const char c : name.site) {
      if (!is_kept(c)) return std::nullopt;
    }
    if (name.site.empty()) return std::nullopt;
  }
  auto unescaped = name.site.empty() ? unescape_exactly(title, is_kept) : unescape_exactly(title, kept_with_colon);
  if (!unescaped) return std::nullopt;
  name.title = std::move(*unescaped);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const auto heading = rest.substr(0, rest.find('/'));
    rest.remove_prefix(heading.size());
    auto text = unescape_exactly(heading, is_kept);
    if (!text) return std::nullopt;
    name.headings.push_back(std::move(*text));
  }
  return name;
}

}  // namespace touchstone::formats::car::testing
