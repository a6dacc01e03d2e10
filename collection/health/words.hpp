#pragma once

#include "text/words.hpp"

#include <string_view>
#include <vector>

namespace touchstone::collection::health {

using text::Word;

/// The words of a text. Everything but letters, digits and marks parts words; Han and Kana characters are words of
/// their own, because such texts have no blanks between words. `words` is emptied first.
void split_words(std::string_view text, std::vector<Word>& words);

}  // namespace touchstone::collection::health
