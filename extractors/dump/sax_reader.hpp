#pragma once

#include <span>
#include <string_view>

namespace touchstone::extractors::dump::internal {

/// An attribute of an XML element; its name comes without prefix. References may be in the value as they are
/// written.
struct Attribute {
  std::string_view name, value;
};
using Attributes = std::span<const Attribute>;

/// Value of attribute `name`, or an empty view.
std::string_view attribute_value(std::string_view name, Attributes attributes) noexcept;

/// Receives the parts of one XML element. Names come without prefix, text in pieces.
class SaxHandler {
 public:
  virtual ~SaxHandler() = default;
  virtual void start(std::string_view name, Attributes attributes) = 0;
  virtual void end(std::string_view name) = 0;
  virtual void text(std::string_view piece) = 0;
  /// A comment or a processing instruction.
  virtual void other() {}
};

/// Runs libxml2 over `xml` without entity definitions, network or external files. An exception of the handler is
/// carried across the C frames and rethrown. Returns false when the XML is not well-formed.
bool read_xml(std::string_view xml, SaxHandler& handler);

}  // namespace touchstone::extractors::dump::internal
