#include "extractors/html/page_title.hpp"

#include "common/ascii.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::extractors::html {
namespace {

/// Whether the title in the head of a page is a heading, with the name of the site behind it: "Fuel - Kilns".
bool names(std::string_view head_title, std::string_view heading) {
  if (heading.empty() || !head_title.starts_with(heading)) return false;
  const auto rest = head_title.substr(heading.size());
  return rest.empty() || (rest.size() > 2 && rest[0] == ' ' && !is_ascii_letter(rest[1]));
}

}  // namespace

std::string take_title(Document& document, std::string_view head_title) {
  auto& sections = document.sections;
  if (sections.size() < 2) return {};
  const auto level = sections[1].level;
  const bool above_all =
      std::all_of(sections.begin() + 2, sections.end(), [&](const Section& section) { return section.level > level; });
  const bool is_first = head_title.empty() ? level == 1 : names(head_title, sections[1].heading.text);
  if (!above_all && !is_first) return {};
  auto title = std::move(sections[1].heading);
  sections[0].anchor = std::move(sections[1].anchor);
  for (auto& link : title.links) {
    link.begin = link.end = 0;
    document.other_links.push_back(std::move(link));
  }
  sections.erase(sections.begin() + 1);
  const auto moved = [](std::uint32_t& section) { section -= section > 0 ? 1U : 0U; };
  for (auto& section : sections) moved(section.parent);
  for (auto& block : document.blocks) moved(block.section);
  for (auto& table : document.tables) moved(table.section);
  for (auto& image : document.images) moved(image.section);
  return std::move(title.text);
}

}  // namespace touchstone::extractors::html
