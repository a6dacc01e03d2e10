#pragma once

#include "extractors/document.hpp"
#include "extractors/html/page_builder.hpp"
#include "extractors/html/terms.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <libxml/tree.h>

namespace touchstone::extractors::html {

/// What a page of HTML says.
struct HtmlPage {
  /// Its heading above all others, else its <title>; empty where it has neither.
  std::string title;
  Document document;
  std::string language;                   ///< as the page declares it: "de", "pt-BR"; may be empty
  PagePart part = PagePart::kText;        ///< with HtmlReading::terms, like `index`
  std::vector<IndexEntry> index;          ///< of the indexes on the page
  std::uint64_t navigation_left_out = 0;  ///< menus, headers, footers, forms
  std::uint64_t links_out = 0;            ///< links that lead out of the source or nowhere
  bool readable = false;                  ///< false when the bytes hold no element or exceed kMaxTreeBytes
};

/// How pages are read whose maker is known.
struct HtmlReading {
  bool whole_body = false;                        ///< all of the body is content; else the main content is searched
  bool terms = false;                             ///< terms, glossaries and indexes, as books have them, are read
  bool heading_is_title = true;                   ///< the heading above all others is the title, not a section
  std::string_view image_attribute = "src";       ///< the attribute of an image that names its file
  bool (*is_left_out)(const xmlNode*) = nullptr;  ///< true for further elements that show nothing of the text
};

/// Reads one page of HTML or XHTML. Pure and thread-safe. O(bytes) time and memory.
/// \param links  finds the pages of links; not kept
HtmlPage read_html(std::string_view bytes, const LinkResolver& links, const HtmlReading& reading = {});

}  // namespace touchstone::extractors::html
