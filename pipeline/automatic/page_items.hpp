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
  /// Reads the attributes of all pages.
  explicit PageItems(const storage::Store& store);

  /// "Q42"; empty if it is not known.
  std::string qid(PageId page) const;

 private:
  std::vector<std::pair<std::uint32_t, std::uint64_t>> items_;  ///< page and number of its item, ascending
};

}  // namespace touchstone::pipeline::automatic::internal
