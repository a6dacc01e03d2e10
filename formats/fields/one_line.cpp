#include "formats/fields/one_line.hpp"

#include "common/unicode.hpp"

#include <cstddef>

namespace touchstone::formats::fields {
namespace {

/// Characters after which some reader starts a new line (Python's str.splitlines knows the most), and the other
/// controls, which have no meaning in a passage.
bool breaks_line(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029;
}

std::string folded(std::string_view text, bool keeps_lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    const char32_t c = next_code_point(text, i);
    if (breaks_line(c)) {
      out += keeps_lines && c == '\n' ? '\n' : ' ';
    } else if (c == kReplacementCharacter) {
      append_utf8(out, c);
    } else {
      out.append(text.substr(start, i - start));
    }
  }
  return out;
}

bool is_folded(std::string_view text, bool keeps_lines) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    if (breaks_line(c) && !(keeps_lines && c == '\n')) return false;
  }
  return is_valid_utf8(text);
}

}  // namespace

std::string one_line(std::string_view text) {
  return folded(text, false);
}

bool is_one_line(std::string_view text) noexcept {
  return is_folded(text, false);
}

std::string plain_lines(std::string_view text) {
  return folded(text, true);
}

bool is_plain_lines(std::string_view text) noexcept {
  return is_folded(text, true);
}

bool is_blank(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    if (!breaks_line(c) && c != ' ' && c != 0xA0 && c != 0x3000) return false;
  }
  return true;
}

}  // namespace touchstone::formats::fields
