#include "common/toml_bounds.hpp"

#include <algorithm>

namespace touchstone {
namespace {

/// The end of the string that begins at `at`, behind its closing quotes. Strings of one line end with it.
std::size_t end_of_string(std::string_view text, std::size_t at) noexcept {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const bool long_form = text.substr(at).starts_with(escapes ? "\"\"\"" : "'''");
  const std::size_t quotes = long_form ? 3 : 1;
  for (at += quotes; at < text.size(); ++at) {
    if (text[at] == '\n' && !long_form) return at;
    if (text[at] == '\\' && escapes) {
      ++at;
    } else if (text[at] == quote &&
               std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                          text.begin() + static_cast<std::ptrdiff_t>(std::min(at + quotes, text.size())),
                          quote) == static_cast<std::ptrdiff_t>(quotes)) {
      return at + quotes;
    }
  }
  return text.size();
}

}  // namespace

std::uint64_t line_of_deep_toml_key(std::string_view text) noexcept {
  std::uint64_t line = 1;
  std::size_t parts = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const auto end = std::min(end_of_string(text, at), text.size());
      line += static_cast<std::uint64_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                    text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at = end;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '.') {
      if (++parts > kMaxTomlKeyParts) return line;
    } else if (c == '\n' || c == '=' || c == ',' || c == '{' || c == '}' || c == '[' || c == ']') {
      parts = 1;
    }
    if (c == '\n') ++line;
    ++at;
  }
  return 0;
}

std::string deep_toml_key_text() {
  return "a key has more than " + std::to_string(kMaxTomlKeyParts) + " parts; keys of this program have two";
}

}  // namespace touchstone
