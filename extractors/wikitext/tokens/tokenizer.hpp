#pragma once

#include "extractors/wikitext/preprocessor/expander.hpp"
#include "extractors/wikitext/tokens/tokens.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::tokens {

/// Cuts expanded wikitext into tokens. HTML tags are checked, and the line-wise markup of tables, rules and headings
/// becomes tags. Most links contain no markup: each of these becomes one token, and its target one of the page's links.
///
/// \param expander  gives the extension tags that markers represent
/// \param expanded  outlives the tokens
/// \param memory    scratch memory, passed in to be used again
/// \param out       emptied first; its memory is used again
/// Source: mediawiki.org Help:Tables, Help:Formatting, Help:HTML in wikitext (read 2025-01), checked against
/// MediaWiki 1.39.
void tokenize(const preprocessor::Expander& expander, TokenContext& context, const preprocessor::ExpandedText& expanded,
              std::vector<std::uint64_t>& memory, Tokens& out);

}  // namespace touchstone::extractors::wikitext::tokens
