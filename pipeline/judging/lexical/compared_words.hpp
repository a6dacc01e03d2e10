#pragma once

#include "pipeline/corpus/terms.hpp"

#include <string_view>
#include <vector>

namespace touchstone::pipeline::judging::lexical {

/// The words of a text as the judge compares them: those of `TermSplitter`, but in scripts without blanks the pairs of
/// neighbouring letters, because one Han or kana letter says too little. A letter without such a neighbour stays alone.
std::vector<corpus::Term> compared_words(corpus::TermSplitter& splitter, std::string_view text);

/// True for words of Hiragana alone, which is the script of Japanese particles and endings.
bool is_hiragana(std::string_view word);

}  // namespace touchstone::pipeline::judging::lexical
