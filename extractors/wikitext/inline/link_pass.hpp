#pragma once

#include "extractors/wikitext/inline/link_findings.hpp"
#include "extractors/wikitext/preprocessor/expanded_text.hpp"
#include "extractors/wikitext/tokens/token_context.hpp"

#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::inlines {

/// Finds `[[...]]` in the tokens of `expanded`: links become kLinkBegin ... kLinkEnd, files kImageBegin caption
/// kImageEnd, categories and links to other languages vanish with the blanks around them, and what is no link stays
/// text.
///
/// \param out  the tokens after that, emptied first
/// Source: mediawiki.org Help:Links, Help:Images (read 2025-01), checked against MediaWiki 1.39.
void find_links(tokens::TokenContext& context, const preprocessor::ExpandedText& expanded, tokens::Tokens& tokens,
                tokens::Tokens& out, LinkFindings& findings);

}  // namespace touchstone::extractors::wikitext::inlines
