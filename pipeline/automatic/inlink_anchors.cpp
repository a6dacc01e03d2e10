#include "pipeline/automatic/inlink_anchors.hpp"

#include "common/line_sorter.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "pipeline/automatic/page_links.hpp"
#include "pipeline/corpus/page_walk.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

using formats::car::AnchorCount;
using formats::fields::parse_integer;
using formats::fields::split_at_tabs;
using storage::Family;
using storage::Store;

constexpr std::size_t kAnchorSortBytes = std::size_t{64} << 20;

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

  /// Lines of target, text, this page and count.
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    lines.reserve(counts_.size());
    for (const auto& [anchor, count] : counts_)
      lines.push_back(fmt::format("{:08x}\t{}\t{:08x}\t{}", anchor.first, anchor.second, page_.value, count));
    return lines;
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

/// Sums the lines of one target and text, which stand one after the other.
class AnchorSums {
 public:
  explicit AnchorSums(TemporaryLines& out) : out_(out) {}

  void add(std::string_view line) {
    const auto columns = split_at_tabs(line, 4);
    if (columns.at(0) != target_) write();
    target_ = columns[0];
    if (anchors_.empty() || anchors_.back().text != columns.at(1)) anchors_.push_back({std::string(columns[1]), 0});
    std::uint64_t count = 0;
    parse_integer<std::uint64_t>(columns.at(3), 0, UINT64_MAX, count);
    anchors_.back().count += count;
  }

  void write() {
    std::stable_sort(anchors_.begin(), anchors_.end(),
                     [](const AnchorCount& a, const AnchorCount& b) { return a.count > b.count; });
    for (const auto& anchor : anchors_)
      out_.write(fmt::format("{}\t{}\t{}", std::stoul(target_, nullptr, 16), anchor.count, anchor.text));
    anchors_.clear();
  }

 private:
  TemporaryLines& out_;
  std::string target_;
  std::vector<AnchorCount> anchors_;  // of the target
};

}  // namespace

InlinkAnchors::InlinkAnchors(const flow::ReadContext& context, const std::function<bool(PageId)>& left_out)
    : lines_(context.scratch()) {
  LineSorter sorted(context.scratch(), kAnchorSortBytes);
  const auto anchors_of = [&](PageId id, const storage::PageRecord& record) {
    return record.is_article() && !left_out(id) ? AnchorsOfPage(context.store, id).lines() : std::vector<std::string>{};
  };
  corpus::walk_pages<std::vector<std::string>>(context, anchors_of, [&](const std::vector<std::string>& lines) {
    for (const auto& line : lines) sorted.add(line);
  });
  AnchorSums sums(lines_);
  sorted.for_each([&](std::string_view line) { sums.add(line); });
  sums.write();
  rewind();
}

void InlinkAnchors::rewind() {
  lines_.rewind();
  advance();
}

void InlinkAnchors::advance() {
  row_.reset();
  if (!lines_.next()) return;
  const auto columns = split_at_tabs(lines_.line(), 3);
  Row row;
  parse_integer<std::uint32_t>(columns.at(0), 0, UINT32_MAX, row.page);
  parse_integer<std::uint64_t>(columns.at(1), 0, UINT64_MAX, row.anchor.count);
  row.anchor.text = columns.at(2);
  row_ = std::move(row);
}

std::vector<AnchorCount> InlinkAnchors::of(PageId page) {
  std::vector<AnchorCount> anchors;
  for (; row_ && row_->page <= page.value; advance()) {
    if (row_->page == page.value) anchors.push_back(std::move(row_->anchor));
  }
  return anchors;
}

}  // namespace touchstone::pipeline::automatic
