#pragma once

#include "extractors/wikitext/tokens/tokens.hpp"

#include <span>
#include <string_view>

namespace touchstone::extractors::wikitext::inlines {

/// What becomes of two and more apostrophes in a row that are no mark: text, or markup for another look, as in
/// captions, of which MediaWiki reads the apostrophes first and those of the line around them later.
enum class Leftovers { kText, kMarkup };

/// Decides what the apostrophe runs among the tokens of one line mean: runs that are bold and italic
/// marks become zero-width tags (`value` says which: 2 italic, 3 bold, 5 both), apostrophes that are shown become text.
/// Other tokens stay as they are. Source: mediawiki.org Help:Formatting (read 2025-01), checked against MediaWiki 1.39.
void balance_apostrophes(std::string_view text, std::span<tokens::Token> line, Leftovers leftovers = Leftovers::kText);

}  // namespace touchstone::extractors::wikitext::inlines
