#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::text {

/// What counts as a word where texts are cut into snippets.
enum class SnippetWords : std::uint8_t {
  kByScript,      ///< as count_words(): in scripts that are written without blanks, two letters count as a word
  kBetweenSpaces  ///< whatever is between white space, in all scripts: the count of the paper of FiRA
};

/// How a text is cut into snippets.
struct SnippetRules {
  std::size_t max_words = 130;  ///< of a snippet
  std::size_t min_words = 0;    ///< the last snippet takes sentences over until it has as many, where it can
  SnippetWords words = SnippetWords::kByScript;
};

/// Bytes of a text, [begin, end).
struct TextRange {
  std::size_t begin = 0, end = 0;
};

/// Cuts a text into snippets: whole sentences, as many as fit into `max_words` words; a sentence that is longer is cut
/// at white space, or between letters of scripts without blanks. The ranges join each other and cover the text, white
/// space included. Thread-safe. Throws Error without the data of ICU.
/// Source: S. Hofstätter et al., "Fine-Grained Relevance Annotations for Multi-Task Document Ranking and Question
/// Answering", CIKM 2020, section 2.1; sentences are those of Unicode Standard Annex 29 instead of BlingFire's.
std::vector<TextRange> cut_into_snippets(std::string_view text, const SnippetRules& rules = {});

}  // namespace touchstone::text
