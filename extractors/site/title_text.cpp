#include "extractors/site/title_text.hpp"

#include "common/unicode.hpp"

namespace touchstone::extractors::site::internal {
namespace {

bool is_title_blank(char32_t c) {
  return c == U' ' || c == U'_' || c == 0xA0 || c == 0x1680 || c == 0x180E || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_bidi_mark(char32_t c) {
  return c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E);
}

}  // namespace

bool clean_blanks(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size());
  std::size_t position = 0;
  bool pending = false;
  const auto put = [&](std::string_view part) {
    if (pending && !out.empty()) out.push_back(' ');
    pending = false;
    out.append(part);
  };
  while (position < text.size()) {
    const std::size_t begin = position;
    while (position < text.size() && static_cast<unsigned char>(text[position]) < 0x80 && text[position] != ' ' &&
           text[position] != '_')
      ++position;
    if (position > begin) {
      put(text.substr(begin, position - begin));
    } else if (static_cast<unsigned char>(text[position]) < 0x80) {
      pending = true;
      ++position;
    } else {
      const char32_t c = next_code_point(text, position);
      if (c == kReplacementCharacter) return false;
      if (is_bidi_mark(c)) continue;
      if (is_title_blank(c)) {
        pending = true;
      } else {
        put(text.substr(begin, position - begin));
      }
    }
  }
  return true;
}

}  // namespace touchstone::extractors::site::internal
