#include "llm_client/prompts/inert_text.hpp"

#include "common/ascii.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace touchstone::llm_client::prompts {
namespace {

constexpr char32_t kLetterColon = 0xA789, kSharp = 0x266F;
constexpr char32_t kOpen = 0x2039, kClose = 0x203A;

/// Words that chat templates and transcripts put before a colon, in lower case.
constexpr std::array<std::string_view, 12> kRoles = {"system",       "user",     "human", "assistant",
                                                     "instruction",  "instruct", "input", "output",
                                                     "instructions", "response", "ai",    "bot"};

bool is_number_sign(char32_t code_point) noexcept {
  return code_point == '#' || code_point == 0xFF03 || code_point == 0xFE5F;
}

bool is_colon(char32_t code_point) noexcept {
  return code_point == ':' || code_point == 0xFF1A || code_point == 0xFE55 || code_point == 0xFE13;
}

bool is_blanked(char32_t code_point) noexcept {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) || code_point == 0x2028 ||
         code_point == 0x2029 || (code_point >= 0xE0000 && code_point <= 0xE007F);
}

/// What represents a code point whatever is beside it; itself, where it is harmless.
char32_t inert(char32_t code_point) noexcept {
  if (is_blanked(code_point)) return ' ';
  switch (code_point) {
    case '<':
    case 0xFF1C:  // full-width
    case 0xFE64:  // small
    case 0x25C1:  // white triangle
      return kOpen;
    case '>':
    case 0xFF1E:
    case 0xFE65:
    case 0x25B7:
      return kClose;
    case '[':
    case 0xFF3B:
    case 0xFE47:  // vertical
      return '(';
    case ']':
    case 0xFF3D:
    case 0xFE48:
      return ')';
    default:
      return code_point;
  }
}

/// True when the word at the end of `text` is one for a role.
bool ends_with_role(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_ascii_letter(text[begin - 1])) --begin;
  return std::ranges::find(kRoles, ascii_lower(text.substr(begin))) != kRoles.end();
}

/// Bytes with which begins what may not be inert. All others are copied in runs.
constexpr std::array<bool, 256> suspicious_bytes() {
  std::array<bool, 256> bytes{};
  for (std::size_t i = 0; i < 0x20; ++i) bytes[i] = true;
  for (const std::size_t byte : {'<', '>', '[', ']', '#', ':'}) bytes[byte] = true;
  for (const std::size_t byte : {0x7F, 0xC2, 0xE2, 0xEF, 0xF3}) bytes[byte] = true;
  return bytes;
}
constexpr auto kSuspicious = suspicious_bytes();

}  // namespace

std::string inert_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool after_number_sign = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && !kSuspicious[static_cast<unsigned char>(text[at])]) ++at;
    out.append(text.substr(begin, at - begin));
    if (at > begin) after_number_sign = false;
    if (at == text.size()) break;
    const char32_t code_point = next_code_point(text, at);
    if (is_number_sign(code_point)) {
      std::size_t next = at;
      const bool in_row = after_number_sign || (at < text.size() && is_number_sign(next_code_point(text, next)));
      append_utf8(out, in_row ? kSharp : code_point);
      after_number_sign = true;
      continue;
    }
    after_number_sign = false;
    append_utf8(out, is_colon(code_point) && ends_with_role(out) ? kLetterColon : inert(code_point));
  }
  return out;
}

}  // namespace touchstone::llm_client::prompts
