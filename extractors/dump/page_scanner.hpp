#pragma once

#include "extractors/dump/sax_reader.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace touchstone::extractors::dump::internal {

/// Appends the character of the reference at the start of `text`, and gives its size. 0 if XML does not define it, and
/// nothing is appended.
std::size_t append_reference(std::string_view text, std::string& out);

/// Reads a `<page>` element that is written as MediaWiki's exporters write it: elements without comments, declarations
/// and CDATA, attributes in double quotes, the five named references and numeric ones, valid UTF-8. That is the XML of
/// almost all pages, and this scanner gives the same parts as libxml2 at a small part of its price.
///
/// Returns false for everything else, well-formed or not. The handler has then received some parts and is of no use any
/// more; the caller asks `read_xml`, whose word holds. Thread-safe.
bool scan_page(std::string_view xml, SaxHandler& handler);

}  // namespace touchstone::extractors::dump::internal
