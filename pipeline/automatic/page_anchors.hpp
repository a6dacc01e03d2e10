#pragma once

#include "common/ids.hpp"
#include "formats/car/records.hpp"

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

}  // namespace touchstone::pipeline::automatic
