#pragma once

#include "extractors/wikitext/preprocessor/extension_tags.hpp"

#include <string_view>

namespace touchstone::extractors::wikitext::blocks {

/// A `<ref>` tag. The views point into the tag.
struct Footnote {
  std::string_view content, name, group;
  bool in_list = false;  ///< written in a list of footnotes; of the page's parser
};

/// False for footnotes of which the wiki shows an error message in place of their text: with an attribute that is not
/// known, with a number as name, or broken. Source: mediawiki.org Extension:Cite, and MediaWiki 1.39 (read 2025-01).
bool read_footnote_tag(const preprocessor::Extension& extension, Footnote& footnote);

/// True for footnotes that may hold headings or tables, which are parts of the page wherever they stand.
bool may_have_parts(std::string_view content);

}  // namespace touchstone::extractors::wikitext::blocks
