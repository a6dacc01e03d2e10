#include "extractors/document_json.hpp"

#include "common/json_tree.hpp"
#include "common/unicode.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace touchstone::extractors {
using site::SiteInfo;
namespace {

using Json = nlohmann::ordered_json;

Json link_json(const Link& link, const SiteInfo& site, std::string_view shown) {
  return {{"target", site.prefixed(link.target)},
          {"fragment", link.fragment},
          {"text", shown},
          {"kind", "page"},
          {"origin", link.origin == LinkOrigin::kTemplate ? "template" : "text"}};
}

void add_links(Json& list, const RichText& text, const SiteInfo& site) {
  ByteCounter bytes(text.text);
  for (const Link& link : text.links) {
    const std::size_t begin = bytes.at_code_point(link.begin);
    const std::size_t end = bytes.at_code_point(link.end);
    list.push_back(link_json(link, site, std::string_view(text.text).substr(begin, end - begin)));
  }
}

Json section_path(const Document& document, std::uint32_t section) {
  std::vector<std::string> path;
  for (std::uint32_t i = section; i != 0; i = document.sections[i].parent)
    path.push_back(document.sections[i].heading.text);
  Json out = Json::array();
  for (auto it = path.rbegin(); it != path.rend(); ++it) out.push_back(*it);
  return out;
}

Json cell_json(const Cell& cell, const SiteInfo& site) {
  Json links = Json::array();
  for (const Link& link : cell.content.links) links.push_back(site.prefixed(link.target));
  return {{"text", cell.content.text},
          {"header", cell.header},
          {"colspan", cell.column_span},
          {"rowspan", cell.row_span},
          {"links", links}};
}

Json table_json(const Document& document, const Table& table, const SiteInfo& site) {
  Json rows = Json::array();
  Json grid = Json::array();
  for (const auto& row : table.cells) {
    Json written = Json::array();
    Json texts = Json::array();
    std::size_t width = row.size();
    while (width > 0 && row[width - 1].missing) --width;
    for (std::size_t c = 0; c < width; ++c) {
      if (!row[c].repeated && !row[c].missing) written.push_back(cell_json(row[c], site));
      texts.push_back(row[c].content.text);
    }
    rows.push_back(std::move(written));
    grid.push_back(std::move(texts));
  }
  return {{"class", table.css_class}, {"caption", table.caption.text.empty() ? Json() : Json(table.caption.text)},
          {"depth", table.depth},     {"section_path", section_path(document, table.section)},
          {"block", table.block},     {"rows", std::move(rows)},
          {"grid", std::move(grid)}};
}

Json images_json(const Document& document, const SiteInfo& site) {
  Json images = Json::array();
  for (const Image& image : document.images) {
    Json links = Json::array();
    for (const Link& link : image.caption.links) links.push_back(site.prefixed(link.target));
    images.push_back({{"file", image.file},
                      {"caption", image.caption.text},
                      {"links", std::move(links)},
                      {"section", static_cast<int>(image.section) - 1},
                      {"block", image.block}});
  }
  return images;
}

Json lists_json(const Document& document) {
  Json lists = Json::array();
  for (const ListItem& item : document.flow.items) {
    lists.push_back({{"tag", item.tag},
                     {"list", item.list},
                     {"depth", item.depth},
                     {"text", item.text},
                     {"section", static_cast<int>(item.section) - 1}});
  }
  return lists;
}

}  // namespace

std::string document_to_json(const Document& document, const SiteInfo& site, std::string_view name) {
  Json json = Json::object();
  if (!name.empty()) json["name"] = name;
  Json links = Json::array();
  Json headings = Json::array();
  for (std::size_t i = 1; i < document.sections.size(); ++i) {
    const Section& section = document.sections[i];
    headings.push_back({{"level", section.level}, {"text", section.heading.text}});
    add_links(links, section.heading, site);
  }
  for (const Block& block : document.blocks) add_links(links, block.content, site);
  Json tables = Json::array();
  for (const Table& table : document.tables) {
    tables.push_back(table_json(document, table, site));
    add_links(links, table.caption, site);
    for (const auto& row : table.cells) {
      for (const Cell& cell : row) {
        if (!cell.repeated) add_links(links, cell.content, site);
      }
    }
  }
  for (const Link& link : document.other_links) {
    if (link.shown) links.push_back(link_json(link, site, {}));
  }
  Json categories = Json::array();
  for (const Title& title : document.categories) categories.push_back(title.text);
  json["redirect"] = document.redirect ? Json(site.prefixed(*document.redirect)) : Json();
  json["links"] = std::move(links);
  json["headings"] = std::move(headings);
  json["tables"] = std::move(tables);
  json["images"] = images_json(document, site);
  json["lists"] = lists_json(document);
  json["paragraphs"] = document.flow.paragraphs;
  json["text"] = document.text;
  json["categories"] = std::move(categories);
  const DocumentCounters& counters = document.counters;
  for (std::size_t i = 0; i < counters.unknown.size(); ++i) {
    if (counters.unknown[i] > 0) json["unknown"][std::string(kUnknownCauses[i])] = counters.unknown[i];
  }
  if (counters.limits_hit > 0) json["limits_hit"] = counters.limits_hit;
  if (counters.cells_left_out > 0) json["cells_left_out"] = counters.cells_left_out;
  for (const auto& [message, count] : document.call_errors) json["errors"][message] = count;
  for (const auto& [title, use] : document.template_uses)
    json["templates"][title] = {{"rendered", use.rendered}, {"dropped", use.dropped}, {"aside", use.aside}};
  return json_text(json);
}

}  // namespace touchstone::extractors
