#include "extractors/html/xml_tree.hpp"

#include "common/unicode.hpp"
#include "extractors/html/charset.hpp"
#include "extractors/html/inline_text.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

namespace touchstone::extractors::html {
namespace {

std::string_view view(const xmlChar* text) noexcept {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

void add_text(const xmlNode* node, int depth, InlineText& text) {
  if (depth > kMaxDepth) return;
  for (const auto* child = node->children; child != nullptr; child = child->next) {
    if (child->type == XML_TEXT_NODE || child->type == XML_CDATA_SECTION_NODE) text.append(view(child->content));
    if (child->type == XML_ELEMENT_NODE) add_text(child, depth + 1, text);
  }
}

const xmlNode* find_below(const xmlNode* node, std::string_view name, int depth) {
  for (const auto* child = node->children; child != nullptr && depth < kMaxDepth; child = child->next) {
    if (child->type != XML_ELEMENT_NODE) continue;
    if (element_name(child) == name) return child;
    if (const auto* found = find_below(child, name, depth + 1)) return found;
  }
  return nullptr;
}

struct FreeParser {
  void operator()(xmlParserCtxt* parser) const noexcept { xmlFreeParserCtxt(parser); }
};

}  // namespace

XmlTree parse_html(std::string_view bytes) {
  const auto text = as_utf8(bytes);
  std::unique_ptr<xmlParserCtxt, FreeParser> parser(htmlNewParserCtxt());
  if (!parser) return nullptr;
  constexpr int kOptions =
      HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC;
  return XmlTree(
      htmlCtxtReadMemory(parser.get(), text.data(), static_cast<int>(text.size()), nullptr, "UTF-8", kOptions));
}

XmlTree parse_xml(std::string_view bytes, std::string& problem) {
  std::unique_ptr<xmlParserCtxt, FreeParser> parser(xmlNewParserCtxt());
  if (!parser) return nullptr;
  // Entities stay references, and no DTD is loaded: XML_PARSE_NOENT and XML_PARSE_DTDLOAD are not set.
  constexpr int kOptions = XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET;
  XmlTree tree(
      xmlCtxtReadMemory(parser.get(), bytes.data(), static_cast<int>(bytes.size()), nullptr, nullptr, kOptions));
  if (!tree) {
    const auto* error = xmlCtxtGetLastError(parser.get());
    std::string why = error != nullptr && error->message != nullptr ? error->message : "no element";
    while (!why.empty() && (why.back() == '\n' || why.back() == ' ')) why.pop_back();
    problem = fmt::format("line {}: {}", error != nullptr ? error->line : 1, repair_utf8(why));
    return nullptr;
  }
  if (tree->intSubset != nullptr && tree->intSubset->entities != nullptr) {
    problem = "it declares entities, which are never expanded";
    return nullptr;
  }
  return tree;
}

std::string_view element_name(const xmlNode* node) noexcept {
  return node != nullptr && node->type == XML_ELEMENT_NODE ? view(node->name) : std::string_view();
}

std::string attribute(const xmlNode* node, std::string_view name) {
  if (node == nullptr || node->type != XML_ELEMENT_NODE) return {};
  for (const auto* entry = node->properties; entry != nullptr; entry = entry->next) {
    if (view(entry->name) != name) continue;
    std::string text;
    for (const auto* part = entry->children; part != nullptr; part = part->next) {
      if (part->type == XML_TEXT_NODE) text += view(part->content);
    }
    return repair_utf8(text);
  }
  return {};
}

std::string text_below(const xmlNode* node) {
  InlineText text;
  if (node != nullptr) add_text(node, 0, text);
  return text.take().text;
}

const xmlNode* find_element(const xmlNode* node, std::string_view name) {
  return node == nullptr ? nullptr : find_below(node, name, 0);
}

}  // namespace touchstone::extractors::html
