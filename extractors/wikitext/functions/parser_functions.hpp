#pragma once

#include "extractors/wikitext/preprocessor/expander.hpp"

#include <string_view>

namespace touchstone::extractors::internal {

/// Handles `{{name}}` and `{{name:argument|...}}` when `name` is a magic word or parser function, such as PAGENAME, lc
/// or #if: appends what it gives to `out`. False, with `out` unchanged, when it is none. Source: mediawiki.org
/// Help:Magic words, Help:Extension:ParserFunctions (read 2025-01).
bool expand_parser_function(Expander& expander, const MarkupTree& tree, const Call& call, std::string_view title,
                            const Frame* frame, ExpandedText& out);

}  // namespace touchstone::extractors::internal
