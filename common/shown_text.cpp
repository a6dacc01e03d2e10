#include "common/shown_text.hpp"

#include "common/unicode.hpp"

namespace touchstone {
namespace {

/// General categories Cc, Zl and Zp, and the format characters (Cf) that change the text around them. Source: Unicode
/// 15, UnicodeData.txt; UAX 9, section 2.
bool is_invisible(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

}  // namespace

std::string shown_text(std::string_view text, std::size_t max_bytes) {
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

}  // namespace touchstone
