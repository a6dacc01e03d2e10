#pragma once

#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/tokens/token_context.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::tokens {

/// Cuts expanded wikitext into tokens, with HTML tags checked, and the line-wise markup of tables, rules and headings
/// turned into the tags it stands for. Links that hold no markup are read right here, since most are such and each then
/// is one token; their targets go to the page's links.
///
/// \param expander  knows what markers stand for
/// \param expanded  outlives the tokens
/// \param memory    for the work only, so that it is used again
/// \param out       emptied first; its memory is used again
/// Source: mediawiki.org Help:Tables, Help:Formatting, Help:HTML in wikitext (read 2025-01), checked against
/// MediaWiki 1.39.
void tokenize(const preprocessor::Expander& expander, TokenContext& context, const preprocessor::ExpandedText& expanded,
              std::vector<std::uint64_t>& memory, Tokens& out);

}  // namespace touchstone::extractors::wikitext::tokens
