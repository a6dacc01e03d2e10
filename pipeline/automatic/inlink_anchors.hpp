#pragma once

#include "common/ids.hpp"
#include "common/temporary_lines.hpp"
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

  TemporaryLines lines_;  // page, count and text, parted by tabs; ascending by page
  struct Row {
    std::uint32_t page = 0;
    formats::car::AnchorCount anchor;
  };
  std::optional<Row> row_;  // the next one
};

}  // namespace touchstone::pipeline::automatic
