#pragma once

#include "extractors/wikitext/tokens/tokens.hpp"

#include <span>
#include <string_view>

namespace touchstone::extractors::wikitext::inlines {

/// How to treat two and more apostrophes in a row that are not a mark: as text, or as markup to be read again.
/// MediaWiki reads the apostrophes of captions twice, the second time with the line around them.
enum class Leftovers { kText, kMarkup };

/// Resolves the apostrophe runs among the tokens of one line. Marks of bold and italics become zero-width tags (`value`
/// says which: 2 italic, 3 bold, 5 both); apostrophes that are shown become text. Other tokens stay as they are.
/// Source: mediawiki.org Help:Formatting (read 2025-01), checked against MediaWiki 1.39.
void balance_apostrophes(std::string_view text, std::span<tokens::Token> line, Leftovers leftovers = Leftovers::kText);

}  // namespace touchstone::extractors::wikitext::inlines
