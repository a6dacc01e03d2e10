#pragma once

#include "common/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::pipeline::inspection {

/// What a SQL dump holds.
struct SqlSummary {
  std::string file, table, database;
  std::vector<std::string> columns;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;         ///< after decompression
  std::vector<std::string> facts;  ///< such as "898 with a Wikidata item"
};

/// Reads all of the files. With pagelinks of both titles and numbers, and linktarget among them, a fact says whether
/// the two agree.
/// \param folder  for what does not fit in memory
std::vector<SqlSummary> summarize_sql_dumps(const std::vector<std::string>& files, const std::filesystem::path& folder,
                                            const StopFlag& stop);

}  // namespace touchstone::pipeline::inspection
