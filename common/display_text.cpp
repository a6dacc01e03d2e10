#include "common/display_text.hpp"

#include "common/unicode.hpp"

#include <fmt/format.h>

namespace touchstone {
namespace {

void append_escape(std::string& out, char32_t c) {
  switch (c) {
    case U'\n':
      out += "\\n";
      return;
    case U'\r':
      out += "\\r";
      return;
    case U'\t':
      out += "\\t";
      return;
    default:
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
  }
}

std::string displayed(std::string_view text, bool keep_line_feeds) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (c == U'\n' && keep_line_feeds) {
      out += '\n';
    } else if (is_display_hazard(c)) {
      append_escape(out, c);
    } else if (c == kReplacementCharacter && at - begin == 1) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[begin]));
    } else {
      out += text.substr(begin, at - begin);
    }
  }
  return out;
}

/// General categories Cc, Zl and Zp, and the format characters (Cf) that change the text around them. Source: Unicode
/// 15, UnicodeData.txt; UAX 9, section 2.
bool is_invisible(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

}  // namespace

bool is_display_hazard(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

std::string display_text(std::string_view text) {
  return displayed(text, false);
}

std::string display_lines(std::string_view text) {
  return displayed(text, true);
}

std::string display_excerpt(std::string_view text, std::size_t max_bytes) {
  constexpr std::string_view kCut = "...";
  std::string shown;
  std::size_t whole = 0;  // bytes before which a cut leaves room for its mark
  bool blank = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c == ' ' || is_invisible(c)) {
      blank = !shown.empty();
      continue;
    }
    if (blank) shown += ' ';
    blank = false;
    append_utf8(shown, c);
    if (shown.size() + kCut.size() <= max_bytes) whole = shown.size();
    if (shown.size() <= max_bytes) continue;
    shown.resize(whole);
    shown += kCut;
    break;
  }
  return shown;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:+,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted.push_back(c);
    }
  }
  return quoted + "'";
}

}  // namespace touchstone
