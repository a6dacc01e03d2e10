#pragma once

#include "text/terms.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence::wording {

/// The words of titles and headings as a person types them into a search box: in lower case but for abbreviations and
/// brands, without punctuation, each word once. "Ranged equipment" and "Enchanted crossbow bolts (ranged)" give "ranged
/// equipment enchanted crossbow bolts".
///
/// \param language  whose prepositions and articles are not words of their own
std::string keyword_query(text::TermSplitter& splitter, std::string_view language,
                          const std::vector<std::string>& parts);

/// How many words of a query carry meaning; in scripts without blanks, two letters count as a word.
double count_meaning_words(text::TermSplitter& splitter, std::string_view language, std::string_view query);

/// The text without a qualifier in parentheses at its end that is in a script which the language is never written in:
/// "Shikinaisha" of "Shikinaisha (式内社)" in English.
std::string_view without_other_script(std::string_view text, std::string_view language);

/// Whether a part of a title is the code of a language, "fr" or "zh tw", in which wikis keep translations.
bool is_language_code(std::string_view part);

/// A title as words: of a path ("fr/Manual/Base Set/Goods trains") the last part, with the one before it where it is
/// one word; codes of languages in front or behind are not parts. Underscores are blanks.
std::string title_words(std::string_view title);

}  // namespace touchstone::pipeline::evidence::wording
