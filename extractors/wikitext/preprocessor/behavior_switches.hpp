#pragma once

#include "extractors/site/language_words.hpp"
#include "extractors/wikitext/preprocessor/expanded_text.hpp"

namespace touchstone::extractors::wikitext::preprocessor {

/// Removes behavior switches such as __NOTOC__ inside of words and brackets, whose parts then join. Those between
/// blanks are left to the tokenizer. A switch in front of table markup stays as well, since MediaWiki finds tables
/// first.
void take_out_behavior_switches(const site::LanguageWords& words, ExpandedText& expanded);

}  // namespace touchstone::extractors::wikitext::preprocessor
