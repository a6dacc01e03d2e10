#include "pipeline/survey/page_shape.hpp"

#include "storage/keys.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace touchstone::pipeline::survey {
namespace {

using storage::Family;

constexpr std::uint64_t kLeastListedLinks = 3;

class ShapeReader {
 public:
  ShapeReader(const storage::Store& store, PageId page) : store_(store), page_(page) {
    std::string bytes;
    if (store.get(Family::kLinkTarget, storage::page_key(page), bytes))
      targets_ = storage::decode_link_targets(bytes).pages;
  }

  void read_table(std::uint32_t number) {
    std::string bytes;
    if (!store_.get(Family::kTable, storage::page_part_key(page_, number), bytes)) return;
    const auto table = storage::decode_table(bytes);
    shape.parts += table.columns;
    for (const auto& cell : table.cells) {
      if (cell.repeated || cell.missing) continue;
      shape.listed_links += links_to_pages(cell.links);
      shape.listed_bytes += cell.text.size();
    }
  }

  void read_section(std::uint32_t number) {
    std::string bytes;
    if (!store_.get(Family::kParagraph, storage::page_part_key(page_, number), bytes)) return;
    bool has_items = false;
    for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
      const bool item = paragraph.kind == storage::ParagraphKind::kListItem;
      const auto links = links_to_pages(paragraph.links);
      has_items = has_items || item;
      (item ? shape.listed_links : shape.other_links) += links;
      (item && links > 0 ? shape.listed_bytes : shape.other_bytes) += paragraph.text.size();
    }
    if (has_items) ++shape.parts;
  }

  PageShape shape;

 private:
  std::uint64_t links_to_pages(const std::vector<storage::TextLink>& links) const {
    return static_cast<std::uint64_t>(std::count_if(links.begin(), links.end(), [&](const auto& link) {
      return link.target < targets_.size() && targets_[link.target].value != 0;
    }));
  }

  const storage::Store& store_;
  PageId page_;
  std::vector<PageId> targets_;
};

}  // namespace

bool PageShape::is_list() const noexcept {
  return listed_links >= kLeastListedLinks && listed_links >= other_links && listed_bytes >= other_bytes;
}

PageShape shape_of(const storage::Store& store, PageId page, const storage::OutlineRecord& outline) {
  ShapeReader reader(store, page);
  for (std::uint32_t number = 0; number < outline.table_count; ++number) reader.read_table(number);
  for (std::uint32_t number = 0; number < outline.sections.size(); ++number) reader.read_section(number);
  return reader.shape;
}

}  // namespace touchstone::pipeline::survey
