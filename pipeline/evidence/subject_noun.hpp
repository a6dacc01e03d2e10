#pragma once

#include "text/terms.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence {

/// The stem of the noun that a list's subject asks for: "champion" for "champions of Ostrand", "leuchtturm" for
/// "Leuchttürme auf Inseln": the last word before the first preposition of the language. In languages that put the
/// noun last, the last word.
std::string subject_noun(text::TermSplitter& splitter, std::string_view language, std::string_view subject);

/// The stems of all nouns that a title, heading or header may ask for: those that a sign or "and" joins ("Cities and
/// towns in Ostrand", "Country/Territory"). In languages that narrow a noun by what follows it, these are all words
/// before the first preposition ("городов России").
std::vector<std::string> subject_nouns(text::TermSplitter& splitter, std::string_view language,
                                       std::string_view subject);

/// Whether two words are forms of one noun. Without a stemmer, such words differ in their last two letters at most.
bool is_same_noun(const std::string& stem, const std::string& other, bool has_stemmer);

}  // namespace touchstone::pipeline::evidence
