#include "pipeline/entities/linked_pages.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <utility>

namespace touchstone::pipeline::entities {
namespace {

using storage::Family;

/// Adds the links of one paragraph that have a text and do not lie in that of another.
void add_links(const storage::ParagraphRecord& paragraph, const std::vector<Title>& written, LinkedPage& page) {
  std::uint32_t done = 0;
  for (const auto& link : paragraph.links) {
    if (link.end <= link.begin || link.begin < done || link.target >= written.size()) continue;
    const PageId target = link.target < page.targets.size() ? page.targets[link.target] : PageId{};
    page.links.push_back(
        {static_cast<std::uint32_t>(page.texts.size()), link.begin, link.end, target, written[link.target]});
    done = link.end;
  }
}

}  // namespace

LinkedPages::LinkedPages(const storage::Store& store) : store_(store), titles_(store) {
  for (auto cursor = store.cursor(Family::kPage); cursor.valid(); cursor.next()) {
    const auto id = storage::read_page_key(cursor.key());
    if (!id) throw StorageError("the store holds a page key it should not; build it again");
    const auto record = storage::decode_page(cursor.value());
    if (record.is_article() && !record.is_disambiguation) articles_.push_back(*id);
  }
}

std::string LinkedPages::title_of(PageId page) const {
  const auto record = titles_.page(page);
  return record ? titles_.prefixed(record->title) : "";
}

LinkedPage LinkedPages::read(PageId id) const {
  auto page = read_linked_page(store_, id);
  page.title = title_of(id);
  return page;
}

LinkedPage read_linked_page(const storage::Store& store, PageId id) {
  LinkedPage page;
  page.id = id;
  const auto key = storage::page_key(id);
  std::string bytes;
  std::vector<Title> written;
  if (store.get(Family::kLink, key, bytes)) written = storage::decode_link_titles(bytes);
  if (store.get(Family::kLinkTarget, key, bytes)) page.targets = storage::decode_link_targets(bytes).pages;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (i >= page.targets.size() || page.targets[i].value == 0) page.missing.push_back(written[i]);
  }
  if (!store.get(Family::kOutline, key, bytes)) return page;
  const auto outline = storage::decode_outline(bytes);
  for (std::uint32_t i = 0; i < outline.sections.size(); ++i) {
    const auto& section = outline.sections[i];
    if (section.paragraph_count == 0 || !store.get(Family::kParagraph, storage::page_part_key(id, i), bytes)) continue;
    std::uint32_t ordinal = section.first_paragraph;
    for (auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
      const std::uint32_t number = ordinal++;
      if (is_invisible(paragraph.text)) continue;
      add_links(paragraph, written, page);
      page.texts.push_back(std::move(paragraph.text));
      page.ordinals.push_back(number);
    }
  }
  return page;
}

bool is_held_out(const std::string& title, double share) {
  constexpr double kTwoTo64 = 18446744073709551616.0;
  return static_cast<double>(xxh3_64(title)) < share * kTwoTo64;
}

}  // namespace touchstone::pipeline::entities
