#include "collection/health/words.hpp"

#include "common/unicode.hpp"

namespace touchstone::collection::health::internal {
namespace {

bool is_ideographic(char32_t c) noexcept {
  return (c >= 0x3041 && c <= 0x30FA) || (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x20000 && c <= 0x3FFFF) || c == 0x3005 || c == 0x3007;
}

/// Punctuation and symbols that are not ASCII, as far as texts of wikis have them.
bool is_other_punctuation(char32_t c) noexcept {
  return (c < 0xC0 && c != 0xAA && c != 0xB5 && c != 0xBA) || c == 0xD7 || c == 0xF7 || c == 0x60C || c == 0x61B ||
         c == 0x61F || c == 0x6D4 || c == 0x964 || c == 0x965 || (c >= 0x2000 && c <= 0x206F) ||
         (c >= 0x2190 && c <= 0x2BFF) || (c >= 0x3000 && c <= 0x303F && !is_ideographic(c)) || c == 0x30FB ||
         (c >= 0xFF00 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) || (c >= 0xFF3B && c <= 0xFF40) ||
         (c >= 0xFF5B && c <= 0xFF65) || c == kReplacementCharacter;
}

bool is_word_character(char32_t c) noexcept {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return !is_other_punctuation(c) && !is_unicode_space(c);
}

}  // namespace

void split_words(std::string_view text, std::vector<Word>& words) {
  words.clear();
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (is_ideographic(c)) {
      words.push_back({begin, at});
      inside = false;
    } else if (!is_word_character(c)) {
      inside = false;
    } else if (inside) {
      words.back().end = at;
    } else {
      words.push_back({begin, at});
      inside = true;
    }
  }
}

}  // namespace touchstone::collection::health::internal
