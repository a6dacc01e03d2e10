#include "formats/text/field_text.hpp"

#include "common/unicode.hpp"

#include <cstddef>

namespace touchstone::formats {
namespace {

constexpr std::size_t kMaxIdBytes = 200;
constexpr std::size_t kMaxQuotedCodePoints = 60;

/// Characters after which some reader starts a new line (Python's str.splitlines is the greediest), and the other
/// controls, which no text of a passage means.
bool breaks_line(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    const char32_t c = next_code_point(text, i);
    if (breaks_line(c)) {
      out += ' ';
    } else if (c == kReplacementCharacter) {
      append_utf8(out, c);
    } else {
      out.append(text.substr(start, i - start));
    }
  }
  return out;
}

bool is_one_line(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    if (breaks_line(next_code_point(text, i))) return false;
  }
  return is_valid_utf8(text);
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

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  std::string out;
  for (const auto& text : texts) {
    if (!out.empty()) out += between;
    out += text;
  }
  return out;
}

std::string join_path(const std::vector<std::string>& parts) {
  return joined(parts, " » ");
}

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string quote_for_message(std::string_view value) {
  std::size_t i = 0;
  for (std::size_t count = 0; i < value.size() && count < kMaxQuotedCodePoints; ++count) next_code_point(value, i);
  return "\"" + one_line(value.substr(0, i)) + (i < value.size() ? "..." : "") + "\"";
}

}  // namespace touchstone::formats
