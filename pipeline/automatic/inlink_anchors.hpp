#pragma once

#include "common/ids.hpp"
#include "common/records/record_file.hpp"
#include "common/scratch_folder.hpp"
#include "formats/car/records.hpp"
#include "pipeline/flow/stage.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace touchstone::pipeline::automatic {

/// What the texts of links call a page, with numbers: `inlink_anchors` of TREC CAR's metadata. Counts the links of
/// paragraphs, list items and captions in articles and disambiguation pages, redirects followed, without those from a
/// page to itself. Memory is bounded; the rest is on disk. Not thread-safe.
class InlinkAnchors {
 public:
  /// Reads all pages of the store, except those that are left out. Throws Interrupted if a stop was requested.
  InlinkAnchors(const flow::ReadContext& context, const std::function<bool(PageId)>& left_out);

  /// Starts again with the first page.
  void rewind();

  /// Those of a page, the most frequent first, equally frequent ones by text. \pre pages ascend between two calls of
  /// `rewind`
  std::vector<formats::car::AnchorCount> of(PageId page);

 private:
  void advance();

  struct Anchors {
    std::uint32_t page = 0;
    std::vector<formats::car::AnchorCount> anchors;
    template <class Fields>
    void fields(Fields& field) {
      field("page", page)("anchors", anchors);
    }
  };
  using RecordFile = records::RecordFile<Anchors>;
  static constexpr const char* kFile = "anchors";

  ScratchFolder folder_;
  std::optional<RecordFile::Reader> file_;  // ascending by page
  std::optional<Anchors> next_;
};

}  // namespace touchstone::pipeline::automatic
