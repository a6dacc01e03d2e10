#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::passages::near_duplicates {

/// Hashes the words of a text. A word is a run of letters, digits and the marks on them, in Unicode's composed form
/// (NFC) and simple case folding; all other characters separate words, apostrophes too. In scripts that are written
/// without blanks (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) each letter with its marks is a word, so that a
/// bigram is a pair of neighbouring letters. The hashes are 64 bits of XXH3 and the same on all platforms. One object
/// for one thread.
class WordHasher {
 public:
  /// The words in order. The reference holds until the next call. Bytes that are no UTF-8 separate words.
  const std::vector<std::uint64_t>& words(std::string_view text);

 private:
  std::string word_;
  std::vector<std::uint64_t> words_;
};

/// The distinct pairs of neighbouring words as ascending 64-bit hashes. A text of one word has one bigram, of the word
/// and the end of the text: it shares it with no text of two words or more. A text without words has none.
void word_bigrams(const std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& bigrams);

}  // namespace touchstone::pipeline::passages::near_duplicates
