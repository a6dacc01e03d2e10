#pragma once

#include "extractors/site/site_info.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::testing {

inline const site::SiteInfo& english() {
  static const site::SiteInfo site = site::SiteInfo::make_default("en");
  return site;
}

inline Document parse(std::string_view wikitext, TemplateMode templates = TemplateMode::kRules,
                      const Title& page = {kNamespaceMain, "Test page"}) {
  static const TemplateRules rules = TemplateRules::built_in("en");
  WikitextOptions options;
  options.templates = templates;
  options.collect_text = true;
  return parse_wikitext(english(), rules, page, wikitext, options);
}

inline std::vector<const Link*> all_links(const Document& document) {
  std::vector<const Link*> links;
  const auto add = [&](const RichText& text) {
    for (const Link& link : text.links) links.push_back(&link);
  };
  for (const Section& section : document.sections) add(section.heading);
  for (const Block& block : document.blocks) add(block.content);
  for (const Table& table : document.tables) {
    add(table.caption);
    for (const auto& row : table.cells) {
      for (const Cell& cell : row) {
        if (!cell.repeated) add(cell.content);
      }
    }
  }
  for (const Link& link : document.other_links) links.push_back(&link);
  return links;
}

/// Targets with their namespace, in order.
inline std::vector<std::string> targets(const Document& document) {
  std::vector<std::string> out;
  for (const Link* link : all_links(document)) out.push_back(english().prefixed(link->target));
  return out;
}

inline std::vector<std::string> targets(std::string_view wikitext) {
  return targets(parse(wikitext));
}

/// Texts of paragraphs and list items, list items with their markers in front.
inline std::vector<std::string> blocks(std::string_view wikitext, TemplateMode templates = TemplateMode::kRules) {
  std::vector<std::string> out;
  for (const Block& block : parse(wikitext, templates).blocks) {
    out.push_back(block.list_marker + (block.list_marker.empty() ? "" : " ") + block.content.text);
  }
  return out;
}

inline std::string text(std::string_view wikitext, TemplateMode templates = TemplateMode::kRules) {
  std::string out;
  for (const std::string& block : blocks(wikitext, templates)) out += (out.empty() ? "" : "\n") + block;
  return out;
}

/// Cell texts of the first table, spans written out.
inline std::vector<std::vector<std::string>> grid(std::string_view wikitext, std::size_t table = 0) {
  std::vector<std::vector<std::string>> out;
  const Document document = parse(wikitext);
  if (document.tables.size() <= table) return out;
  for (const auto& row : document.tables[table].cells) {
    out.emplace_back();
    for (const Cell& cell : row) out.back().push_back(cell.content.text);
  }
  return out;
}

}  // namespace touchstone::extractors::wikitext::testing
