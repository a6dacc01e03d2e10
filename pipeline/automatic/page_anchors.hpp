#pragma once

#include "common/ids.hpp"
#include "common/records/record_file.hpp"
#include "formats/car/records.hpp"

#include <filesystem>
#include <utility>
#include <vector>

namespace touchstone::pipeline::automatic {

/// What the texts of links call a page, with numbers: `inlink_anchors` of TREC CAR's metadata. The most frequent text
/// comes first, equally frequent ones by their bytes.
struct PageAnchors {
  PageId page;
  std::vector<formats::car::AnchorCount> anchors;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("anchors", anchors);
  }
};

/// Reads the anchors of one page after the other.
class AnchorReader {
 public:
  explicit AnchorReader(const std::filesystem::path& file) : file_(file), more_(file_.next(next_)) {}

  /// \pre pages ascend
  std::vector<formats::car::AnchorCount> of(PageId page) {
    while (more_ && next_.page < page) advance();
    return more_ && next_.page == page ? std::move(next_.anchors) : std::vector<formats::car::AnchorCount>{};
  }

 private:
  void advance() {
    next_ = {};
    more_ = file_.next(next_);
  }

  records::RecordFile<PageAnchors>::Reader file_;
  PageAnchors next_;
  bool more_;
};

}  // namespace touchstone::pipeline::automatic
