#pragma once

#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstdint>
#include <string_view>

namespace touchstone::extractors::wikitext::inlines {

/// Resolves the external links of a line: `[http://example.org text]` becomes formatting around its text, or around a
/// number where it has none.
///
/// \param text          what the tokens point into
/// \param auto_numbers  links without text so far; grows
/// \param out           the tokens of the line after that; emptied first
/// Source: mediawiki.org Help:Links (read 2025-01), checked against MediaWiki 1.39.
void resolve_external_links(std::string_view text, const tokens::Tokens& line, std::uint32_t& auto_numbers,
                            tokens::Tokens& out);

/// True for what makes a link of the brackets around it: an address, with a text behind it or without.
bool begins_with_address(std::string_view written) noexcept;

}  // namespace touchstone::extractors::wikitext::inlines
