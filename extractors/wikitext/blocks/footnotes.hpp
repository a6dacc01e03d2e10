#pragma once

#include "extractors/wikitext/preprocessor/extension_tags.hpp"

#include <string_view>

namespace touchstone::extractors::wikitext::blocks {

/// A `<ref>` tag. The views point into the tag.
struct Footnote {
  std::string_view content, name, group;
  bool in_list = false;  ///< written in a list of footnotes; set by the page's parser
};

/// Reads a `<ref>` tag. Returns false for footnotes that the wiki replaces by an error message: those with an unknown
/// attribute, with a number as name, or with broken markup. Source: mediawiki.org Extension:Cite, and MediaWiki 1.39
/// (read 2025-01).
bool read_footnote_tag(const preprocessor::Extension& extension, Footnote& footnote);

/// True for footnotes that may contain headings or tables. These are part of the page even in a footnote.
bool may_have_parts(std::string_view content);

}  // namespace touchstone::extractors::wikitext::blocks
