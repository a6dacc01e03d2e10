#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace touchstone::collection::health::internal {

/// A word of a text, as a range of bytes. Han and Kana characters are words of their own, because such texts have no
/// blanks between words.
struct Word {
  std::size_t begin = 0, end = 0;
};

/// The words of a text. Everything but letters, digits and marks parts words. `words` is emptied first.
void split_words(std::string_view text, std::vector<Word>& words);

}  // namespace touchstone::collection::health::internal
