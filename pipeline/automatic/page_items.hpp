#pragma once

#include "common/ids.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::automatic::internal {

/// The Wikidata items of the pages of a store, in memory: 16 bytes for each page whose item is known. Thread-safe.
class PageItems {
 public:
  /// Reads the attributes of all pages, which name the items of some sources, and the items of Wikidata's dump.
  explicit PageItems(const storage::Store& store);

  /// "Q42"; empty if it is not known.
  std::string qid(PageId page) const;

 private:
  using Item = std::pair<std::uint32_t, std::uint64_t>;
  std::vector<Item> items_;  ///< page and number of its item, ascending
};

}  // namespace touchstone::pipeline::automatic::internal
