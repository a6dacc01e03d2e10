#include "collection/health/words.hpp"

#include "text/characters.hpp"

namespace touchstone::collection::health {

void split_words(std::string_view text, std::vector<Word>& words) {
  static const text::CharacterSet kAlone(
      "[\\u3005\\u3007\\u3041-\\u30FA\\u3400-\\u9FFF\\uF900-\\uFAFF\\U00020000-\\U0003FFFF]");
  // White space, and punctuation and symbols as far as texts of wikis have them.
  static const text::CharacterSet kGaps(
      "[[\\u0000-\\u00BF]-[\\u00AA\\u00B5\\u00BA]\\u00D7\\u00F7\\u060C\\u061B\\u061F\\u06D4\\u0964\\u0965\\u1680"
      "\\u2000-\\u206F\\u2190-\\u2BFF\\u3000-\\u303F\\u30FB\\uFF00-\\uFF0F\\uFF1A-\\uFF20\\uFF3B-\\uFF40\\uFF5B-\\uFF65"
      "\\uFFFD]");
  words.clear();
  text::for_each_word(
      text,
      [](char32_t c) {
        return kAlone.contains(c) ? text::Role::kAlone : kGaps.contains(c) ? text::Role::kGap : text::Role::kPart;
      },
      [&](const Word& word) { words.push_back(word); });
}

}  // namespace touchstone::collection::health
