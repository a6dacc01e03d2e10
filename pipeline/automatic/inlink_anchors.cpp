#include "pipeline/automatic/inlink_anchors.hpp"

#include "common/records/sorter.hpp"
#include "formats/fields/one_line.hpp"
#include "pipeline/automatic/page_links.hpp"
#include "pipeline/corpus/page_walk.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace touchstone::pipeline::automatic {
namespace {

using formats::car::AnchorCount;
using storage::Family;
using storage::Store;

constexpr std::size_t kAnchorSortBytes = std::size_t{64} << 20;

/// What some page calls another one.
struct AnchorUse {
  std::uint32_t target = 0;
  formats::car::AnchorCount anchor;
  template <class Fields>
  void fields(Fields& field) {
    field("target", target)("anchor", anchor);
  }
  friend bool operator<(const AnchorUse& a, const AnchorUse& b) {
    return std::tie(a.target, a.anchor.text) < std::tie(b.target, b.anchor.text);
  }
};

/// The anchors of one page, by target.
class AnchorsOfPage {
 public:
  AnchorsOfPage(const Store& store, PageId page) : page_(page) {
    const auto key = storage::page_key(page);
    std::string bytes;
    if (!store.get(Family::kLinkTarget, key, bytes)) return;
    targets_ = storage::decode_link_targets(bytes).pages;
    if (store.get(Family::kOutline, key, bytes)) add_paragraphs(store, storage::decode_outline(bytes));
    if (!store.get(Family::kAttribute, key, bytes)) return;
    for (const auto& image : storage::decode_attributes(bytes).images) add(image.caption, image.links);
  }

  std::vector<AnchorUse> uses() const {
    std::vector<AnchorUse> uses;
    uses.reserve(counts_.size());
    for (const auto& [anchor, count] : counts_) uses.push_back({anchor.first, {anchor.second, count}});
    return uses;
  }

 private:
  void add_paragraphs(const Store& store, const storage::OutlineRecord& outline) {
    std::string bytes;
    for (std::uint32_t i = 0; i < outline.sections.size(); ++i) {
      if (outline.sections[i].paragraph_count == 0 ||
          !store.get(Family::kParagraph, storage::page_part_key(page_, i), bytes))
        continue;
      for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) add(paragraph.text, paragraph.links);
    }
  }

  void add(const std::string& text, const std::vector<storage::TextLink>& links) {
    internal::for_each_anchor(text, links, [&](std::size_t index, std::size_t begin, std::size_t end) {
      const auto target = links[index].target;
      if (target >= targets_.size() || targets_[target].value == 0 || targets_[target] == page_) return;
      ++counts_[{targets_[target].value, formats::fields::one_line(text.substr(begin, end - begin))}];
    });
  }

  PageId page_;
  std::vector<PageId> targets_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> counts_;
};

}  // namespace

InlinkAnchors::InlinkAnchors(const flow::ReadContext& context, const std::function<bool(PageId)>& left_out)
    : folder_(ScratchFolder::at(context.scratch() / "anchors-")) {
  records::Sorter<AnchorUse> sorted(folder_.path(), kAnchorSortBytes);
  const auto uses_on = [&](PageId id, const storage::PageRecord& record) {
    return record.is_article() && !left_out(id) ? AnchorsOfPage(context.store, id).uses() : std::vector<AnchorUse>{};
  };
  corpus::walk_pages<std::vector<AnchorUse>>(context, uses_on, [&](std::vector<AnchorUse> uses) {
    for (auto& use : uses) sorted.add(std::move(use));
  });
  WriteOptions options;
  options.flush_to_disk = false;
  RecordFile::Writer file(folder_.path() / kFile, options);
  for (auto use = sorted.next(); use;) {
    const auto target = use->target;
    std::vector<AnchorCount> anchors;
    for (; use && use->target == target; use = sorted.next()) {
      if (anchors.empty() || anchors.back().text != use->anchor.text) anchors.push_back({use->anchor.text, 0});
      anchors.back().count += use->anchor.count;
    }
    std::stable_sort(anchors.begin(), anchors.end(),
                     [](const AnchorCount& a, const AnchorCount& b) { return a.count > b.count; });
    file.add({target, std::move(anchors)});
  }
  file.finish();
  rewind();
}

void InlinkAnchors::rewind() {
  file_.emplace(folder_.path() / kFile);
  advance();
}

void InlinkAnchors::advance() {
  if (!file_->next(next_.emplace())) next_.reset();
}

std::vector<AnchorCount> InlinkAnchors::of(PageId page) {
  while (next_ && next_->page < page.value) advance();
  if (!next_ || next_->page > page.value) return {};
  auto anchors = std::move(next_->anchors);
  advance();
  return anchors;
}

}  // namespace touchstone::pipeline::automatic
