#pragma once

#include <string_view>

#include <libxml/parser.h>

namespace touchstone::extractors::dump::internal {

/// Receives the parts of one XML element. Names come without prefix, text in pieces.
class SaxHandler {
 public:
  virtual ~SaxHandler() = default;
  /// `attributes` as libxml2's SAX2 gives them: five pointers each (local name, prefix, URI, value begin, value end).
  virtual void start(std::string_view name, int attribute_count, const xmlChar** attributes) = 0;
  virtual void end(std::string_view name) = 0;
  virtual void text(std::string_view piece) = 0;
  /// A comment or a processing instruction.
  virtual void other() {}
};

/// Runs libxml2 over `xml` without entity definitions, network or external files. An exception of the handler is
/// carried across the C frames and rethrown. Returns false when the XML is not well-formed.
bool read_xml(std::string_view xml, SaxHandler& handler);

/// Value of attribute `name` (local name), or an empty view.
std::string_view attribute_value(std::string_view name, int attribute_count, const xmlChar** attributes);

}  // namespace touchstone::extractors::dump::internal
