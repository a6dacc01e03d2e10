#pragma once

#include "common/ids.hpp"
#include "pipeline/corpus/links/sql_tables.hpp"
#include "storage/records.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::corpus::links {

/// What is needed besides the tables to say what they know of pages.
struct SqlPageNeeds {
  std::filesystem::path folder;  ///< for what does not fit in memory
  std::size_t memory_bytes = 0;
  std::vector<std::string> languages;                          ///< of langlinks, by their codes; empty: all
  std::function<bool(std::string_view category)> is_left_out;  ///< by its title without namespace
};

/// What was found in the tables.
struct SqlPageCounts {
  std::uint64_t category_rows = 0, language_rows = 0;
  std::uint64_t unknown_numbers = 0;  ///< rows of categorylinks whose number is not in linktarget
};

/// Gives what categorylinks and langlinks know of pages, ascending by page, whether the page is in the store or not:
/// all its categories but those that are left out, and its titles in other languages.
SqlPageCounts for_each_sql_page(const SqlTables& tables, const SqlPageNeeds& needs,
                                const std::function<void(PageId, storage::SqlPageRecord&&)>& visit);

}  // namespace touchstone::pipeline::corpus::links
