#pragma once

#include "extractors/wikitext/preprocessor/expanded_text.hpp"

namespace touchstone::extractors::wikitext::preprocessor {

/// Mends the text around the holes of a page, where calls show nothing: `(; born 1900)` becomes `(born 1900)`, brackets
/// around nothing go, a comma moves up to the word in front of it, and of two separators one stays. Full-width marks
/// and those of Arabic count too. Only blanks, separators and brackets that touch a hole change; what the author wrote
/// elsewhere stays as it is. Where a sentence lacks words becomes one of `expanded.gaps`. Headings, tables, links, tags
/// and addresses are left alone. Linear in the text.
void mend_holes(ExpandedText& expanded);

}  // namespace touchstone::extractors::wikitext::preprocessor
