#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace touchstone::collection::health::internal {

/// A word of a text, as a range of bytes. Han and Kana characters are words of their own, because such texts have no
/// blanks between words.
struct Word {
  std::size_t begin = 0, end = 0;
  bool ideographic = false;
};

/// The words of a text. Everything but letters, digits and marks parts words. `words` is emptied first.
void split_words(std::string_view text, std::vector<Word>& words);

/// Length of a text in words; two ideographic characters count as one word.
std::size_t length_in_words(const std::vector<Word>& words) noexcept;

}  // namespace touchstone::collection::health::internal
