#pragma once

#include "extractors/wikitext/preprocessor/expander.hpp"

#include <string_view>

namespace touchstone::extractors::wikitext::functions {

/// Handles `{{name}}` and `{{name:argument|...}}` if `name` is a page variable or parser function, such as PAGENAME, lc
/// or #if, and appends the result to `out`. Returns false, with `out` unchanged, for other names. Source: mediawiki.org
/// Help:Magic words, Help:Extension:ParserFunctions (read 2025-01).
bool expand_parser_function(preprocessor::Expander& expander, const preprocessor::MarkupTree& tree,
                            const preprocessor::Call& call, std::string_view title, const preprocessor::Frame* frame,
                            preprocessor::ExpandedText& out);

}  // namespace touchstone::extractors::wikitext::functions
