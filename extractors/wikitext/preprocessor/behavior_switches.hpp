#pragma once

#include "extractors/site/language_words.hpp"
#include "extractors/wikitext/preprocessor/expanded_text.hpp"

namespace touchstone::extractors::wikitext::preprocessor {

/// Takes switches such as __NOTOC__ out of words and brackets, which then join; those between blanks stay for the
/// tokenizer. A switch in front of table markup stays, too: tables are found before switches are taken out.
void take_out_behavior_switches(const site::LanguageWords& words, ExpandedText& expanded);

}  // namespace touchstone::extractors::wikitext::preprocessor
