#pragma once

#include "common/ids.hpp"
#include "pipeline/corpus/links/sql_tables.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus::links {

/// What was found in page_props.
struct SqlItemCounts {
  std::uint64_t rows = 0;              ///< that name an item
  std::vector<std::string> malformed;  ///< values that are no item; rare, so all are kept
};

/// Gives the Wikidata item of each page of page_props, by ascending page. Of two items of a page the lower one counts.
/// \param folder  for what does not fit in memory
SqlItemCounts for_each_sql_item(const SqlTables& tables, const std::filesystem::path& folder, std::size_t memory_bytes,
                                const std::function<void(PageId, std::uint64_t)>& visit);

}  // namespace touchstone::pipeline::corpus::links
