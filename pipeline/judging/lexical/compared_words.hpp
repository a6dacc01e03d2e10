#pragma once

#include "text/terms.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// How words are compared whose language has no Snowball stemmer.
enum class Endings : std::uint8_t {
  kStemmed,  ///< the splitter has taken them off
  kCut       ///< at most five letters are compared, and never the last one of a word of four or more
};

/// \param stemmer  Snowball's name, or empty for none
inline Endings endings_for(std::string_view stemmer) {
  return stemmer.empty() ? Endings::kCut : Endings::kStemmed;
}

/// True for languages that write compounds in one word: "Wassermühle". \param stemmer  Snowball's name
bool makes_compounds(std::string_view stemmer);

/// The words of a text as the judge compares them: those of `TermSplitter`, but in scripts without blanks the pairs of
/// neighbouring letters, because one Han or kana letter says too little. A letter without such a neighbour stays alone.
/// Source of the cut: McNamee and Mayfield, "Character n-gram tokenization for European language text retrieval",
/// Information Retrieval 7 (2004), where short prefixes of words replace stems.
std::vector<text::Term> compared_words(text::TermSplitter& splitter, std::string_view text, Endings endings);

/// True for words of Hiragana alone, which is the script of Japanese particles and endings.
bool is_hiragana(std::string_view word);

}  // namespace touchstone::pipeline::judging::lexical
