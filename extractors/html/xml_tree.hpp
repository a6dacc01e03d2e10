#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <libxml/tree.h>

namespace touchstone::extractors::html {

/// The bytes of a page of HTML as UTF-8. The charset is the first of these: that of a byte order mark; UTF-16 if every
/// other byte is zero; UTF-8 if all bytes are UTF-8, whatever is declared; that of <meta> or of the XML declaration, if
/// it is known; windows-1252. Bytes that mean nothing become
/// U+FFFD. Source: html.spec.whatwg.org, "Determining the character encoding" (windows-1252 represents latin-1 there).
std::string as_utf8(std::string_view bytes);

/// Bytes of HTML or XML that become a tree; larger pages are left out. A tree needs some ten times as much memory.
inline constexpr std::size_t kMaxTreeBytes = std::size_t{32} << 20;

/// Elements inside each other that are followed; what lies deeper is left out.
inline constexpr int kMaxDepth = 200;

struct FreeDocument {
  void operator()(xmlDoc* document) const noexcept { xmlFreeDoc(document); }
};
using XmlTree = std::unique_ptr<xmlDoc, FreeDocument>;

/// A tree of HTML; null when the bytes hold no element. Never fetches anything. The charset is that of as_utf8().
XmlTree parse_html(std::string_view bytes);

/// A tree of XML; null when it is malformed, or declares entities (they are neither fetched nor expanded).
/// \param problem  what is wrong, when the result is null
XmlTree parse_xml(std::string_view bytes, std::string& problem);

/// The name of an element without its namespace; empty for other nodes.
std::string_view element_name(const xmlNode* node) noexcept;

/// The text of an attribute, whatever its namespace; empty where it is missing.
std::string attribute(const xmlNode* node, std::string_view name);

/// True if the space-separated words of an attribute hold `word`.
bool has_word(const xmlNode* node, std::string_view name, std::string_view word);
inline bool has_class(const xmlNode* node, std::string_view word) {
  return has_word(node, "class", word);
}

/// The text of a node of text; null for other nodes.
inline const char* text_of(const xmlNode* node) noexcept {
  const bool is_text = node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE;
  return is_text ? reinterpret_cast<const char*>(node->content) : nullptr;
}

/// All text below a node, white space folded.
std::string text_below(const xmlNode* node);

/// The first element below a node, in document order, for which `matches` is true.
template <class Predicate>
const xmlNode* find_below(const xmlNode* node, Predicate&& matches, int depth = 0) {
  for (const auto* child = node->children; child != nullptr && depth < kMaxDepth; child = child->next) {
    if (child->type != XML_ELEMENT_NODE) continue;
    if (matches(child)) return child;
    if (const auto* found = find_below(child, matches, depth + 1)) return found;
  }
  return nullptr;
}

/// The first element below a node that has this name.
const xmlNode* find_element(const xmlNode* node, std::string_view name);

}  // namespace touchstone::extractors::html
