#pragma once

#include "common/ids.hpp"
#include "pipeline/corpus/links/sql_tables.hpp"
#include "pipeline/corpus/links/title_join.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

namespace touchstone::pipeline::corpus::links {

/// What is needed besides the tables to say which pages the rows of pagelinks lead to.
struct SqlLinkNeeds {
  std::filesystem::path folder;  ///< for what does not fit in memory
  std::size_t memory_bytes = 0;
  std::function<std::function<std::optional<TitledPage>()>()>
      titles;  ///< begins a walk over the pages, for join_titles
};

/// What was found in pagelinks.
struct SqlLinkCounts {
  std::uint64_t rows = 0;
  std::uint64_t unknown_numbers = 0;  ///< rows whose number is not in linktarget, or that have none
};

/// Gives the links of pagelinks whose target is a page of the store, as (source, target), redirects not followed; in no
/// useful order. Rows with a title are joined by it, others by way of linktarget.
SqlLinkCounts for_each_sql_link(const SqlTables& tables, const SqlLinkNeeds& needs,
                                const std::function<void(PageId, PageId)>& visit);

}  // namespace touchstone::pipeline::corpus::links
