#pragma once

#include "extractors/wikitext/preprocessor/expanded_text.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::inlines {

/// Finds `[[...]]` in the tokens of `expanded`. Links become kLinkBegin ... kLinkEnd, files become kImageBegin,
/// caption, kImageEnd. Categories and links to other languages are removed with the blanks around them. Other brackets
/// stay text.
///
/// \param out  the resulting tokens; emptied first
/// Source: mediawiki.org Help:Links, Help:Images (read 2025-01), checked against MediaWiki 1.39.
void find_links(tokens::TokenContext& context, const preprocessor::ExpandedText& expanded, tokens::Tokens& tokens,
                tokens::Tokens& out, tokens::LinkFindings& findings);

}  // namespace touchstone::extractors::wikitext::inlines
