#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <libxml/tree.h>

namespace touchstone::extractors::html {

/// Bytes of HTML or XML that become a tree; larger pages are left out. A tree needs some ten times as much memory.
inline constexpr std::size_t kMaxTreeBytes = std::size_t{32} << 20;

/// Elements inside each other that are followed; what lies deeper is left out.
inline constexpr int kMaxDepth = 200;

struct FreeDocument {
  void operator()(xmlDoc* document) const noexcept { xmlFreeDoc(document); }
};
using XmlTree = std::unique_ptr<xmlDoc, FreeDocument>;

/// A tree of HTML; null when the bytes hold no element. Never fetches anything. The charset is that of a byte order
/// mark, else UTF-8 where the bytes are UTF-8, else the declared one, else windows-1252.
XmlTree parse_html(std::string_view bytes);

/// A tree of XML; null when it is malformed, or declares entities (they are neither fetched nor expanded).
/// \param problem  what is wrong, when the result is null
XmlTree parse_xml(std::string_view bytes, std::string& problem);

/// The name of an element without its namespace; empty for other nodes.
std::string_view element_name(const xmlNode* node) noexcept;

/// The text of an attribute, whatever its namespace; empty where it is missing.
std::string attribute(const xmlNode* node, std::string_view name);

/// All text below a node, white space folded.
std::string text_below(const xmlNode* node);

/// The first element below a node, in document order, that has this name.
const xmlNode* find_element(const xmlNode* node, std::string_view name);

}  // namespace touchstone::extractors::html
