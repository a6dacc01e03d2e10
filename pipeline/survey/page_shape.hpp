#pragma once

#include "storage/records.hpp"
#include "storage/store.hpp"

#include <cstdint>

namespace touchstone::pipeline::survey {

/// How much of a page is tables and lists of links.
struct PageShape {
  std::uint64_t listed_links = 0, other_links = 0;  ///< to pages of the store: in cells and list items; in other text
  std::uint64_t listed_bytes = 0, other_bytes = 0;  ///< of text: in cells and in list items with links; all other
  std::uint64_t parts = 0;                          ///< table columns, and sections with list items

  /// Whether the page consists mostly of tables or lists of links to pages of the wiki.
  bool is_list() const noexcept;
};

/// Reads the shape of an article. Thread-safe.
PageShape shape_of(const storage::Store& store, PageId page, const storage::OutlineRecord& outline);

}  // namespace touchstone::pipeline::survey
