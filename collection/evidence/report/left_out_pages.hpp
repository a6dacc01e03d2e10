#pragma once

#include "collection/release/report/report_files.hpp"
#include "common/stop.hpp"
#include "formats/html/html.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace touchstone::collection::evidence::report::internal {

/// Where the rows of each reason start.
struct LeftOutPages {
  std::map<std::string, std::string> places;  ///< reason -> "left-out-2.html#r3", in the folder
  std::uint64_t files = 0;
};

/// Writes all rows of discarded.tsv by reason, the most frequent first, into `left-out-<n>.html`. Memory: what sorting
/// on disk takes. Throws FormatError with file and line, StorageError, Interrupted.
LeftOutPages write_left_out(const std::filesystem::path& directory, const release::report::PageFolder& place,
                            const std::map<std::string, std::uint64_t>& counts, const StopFlag& stop);

}  // namespace touchstone::collection::evidence::report::internal
