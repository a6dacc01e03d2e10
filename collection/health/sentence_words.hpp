#pragma once

#include <span>
#include <string_view>

namespace touchstone::collection::health {

/// A file that is compiled in.
struct WordFile {
  std::string_view name, text;
};
std::span<const WordFile> word_files();

enum class SentenceWord : unsigned char {
  kVerb,     ///< never begins a text
  kAbout,    ///< has a number behind it
  kUnit,     ///< has a number in front
  kGap,      ///< two words between which one is missing
  kHint,     ///< two words between which one is missing, mostly
  kArticle,  ///< never ends a text
};

/// True if `word`, for gaps two words with a blank, is one of that kind in some language.
bool is_sentence_word(SentenceWord kind, std::string_view word);

/// True if `word` may be the first of two that are a gap: a quick test in front of the exact one.
bool begins_gap(std::string_view word);

/// True if a verb of a script without blanks begins `text`.
bool begins_with_unspaced_verb(std::string_view text);

}  // namespace touchstone::collection::health
