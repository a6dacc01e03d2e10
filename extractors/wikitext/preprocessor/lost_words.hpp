#pragma once

#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor {

/// Whether a sentence of running text lacks words where a call shows nothing: `{{x}} is a shrine`, `in {{x}}, where`,
/// `about {{x}}.`. False where the text reads well without them: for a call that is alone on its line or between two
/// sentences, that is attached to a word as notes and icons are, that is set off by brackets, or that follows a bold
/// name. A guess by what is written on both sides, which knows no language.
///
/// \param before, after  wikitext on both sides of the call, on the same line; more than a few words are not needed
bool loses_words(std::string_view before, std::string_view after);

}  // namespace touchstone::extractors::wikitext::preprocessor
