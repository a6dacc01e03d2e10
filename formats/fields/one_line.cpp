#include "formats/fields/one_line.hpp"

#include "common/unicode.hpp"

#include <array>
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

constexpr std::size_t kMaxIdBytes = 200;

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

std::string why_unsafe_id(std::string_view id) {
  const auto is_letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (id.empty()) return "is empty";
  if (id.size() > kMaxIdBytes) return "is longer than " + std::to_string(kMaxIdBytes) + " bytes";
  for (const char c : id) {
    if (is_letter_or_digit(c) || c == '-' || c == '_' || c == '.' || c == ':' || c == '~') continue;
    if (c == ' ' || (c >= '\t' && c <= '\r')) return "holds white space";
    if (c == '"' || c == '\'') return "holds a quote";
    if (c == '/' || c == '\\') return "holds a slash";
    if (static_cast<unsigned char>(c) >= 0x80) return "holds a character outside ASCII";
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return "holds a control character";
    return std::string("holds '") + c + "'";
  }
  if (!is_letter_or_digit(id.front())) return std::string("starts with '") + id.front() + "'";
  return "";
}

std::string replace_characters(std::string_view text, Replacements replacements) {
  std::array<std::string_view, 256> table{};
  for (const auto& [character, replacement] : replacements) table[static_cast<unsigned char>(character)] = replacement;
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto replacement = table[static_cast<unsigned char>(c)];
    out += replacement.empty() ? std::string_view(&c, 1) : replacement;
  }
  return out;
}

}  // namespace touchstone::formats::fields
