#pragma once

#include <span>
#include <string_view>

namespace touchstone::collection::health::internal {

/// A file that is compiled in.
struct WordFile {
  std::string_view name, text;
};
std::span<const WordFile> word_files();

enum class SentenceWord : unsigned char { kVerb, kAbout, kUnit };

/// True if `word` is one of that kind in some language.
bool is_sentence_word(SentenceWord kind, std::string_view word);

/// True if a verb of a script without blanks begins `text`.
bool begins_with_unspaced_verb(std::string_view text);

}  // namespace touchstone::collection::health::internal
