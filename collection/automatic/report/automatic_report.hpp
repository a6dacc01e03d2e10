#pragma once

#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::collection::automatic::report {

/// What the report of an automatic collection says besides what its directory holds.
struct AutomaticReportInput {
  std::filesystem::path directory;  ///< of the collection
  std::string selection_json;       ///< what selection left out, as stage `facets` writes it
  /// Languages whose headings selection knows besides the wiki's own (`automatic.heading_languages`).
  std::vector<std::string> heading_languages;
  bool knows_headings = true;  ///< there is a file in configs/headings/ for the language of the wiki
};

/// How the query pages are parted into files.
struct AutomaticReportLimits {
  std::size_t max_file_bytes = std::size_t{400} << 10;  ///< a file takes query pages until it has as much
  std::size_t max_listed_titles = 1500;                 ///< on the first page; more titles get pages of their own
  std::size_t titles_per_index = 1000;
  std::size_t max_duplicates = 12;  ///< pairs of near-duplicates that are shown
};

/// What was written.
struct AutomaticReportNumbers {
  std::uint64_t topics = 0, files = 0, leaks = 0;
  std::vector<std::string> warnings;  ///< what the page warns of, each a sentence or more
};

/// Writes the report of an automatic collection: one page with its numbers (those of tables 1 and 2 of Dietz and
/// Dalton, "Humans optional?", section 4.1), and a folder beside it in which one browses query page, outline, relevant
/// passages and their entities (figure 1). The pages need no script and nothing from outside.
///
/// The folder is built beside its final place and renamed; then the page is written, so a killed run leaves no half of
/// either. Equal directories give equal bytes. Memory: some 200 bytes a query page, 8 bytes a passage of theirs, and
/// the check for leaks. Throws StorageError and FormatError as the readers of the files do, and Interrupted. \param
/// page    the page that is opened first; the folder is linked from it by its name, so both are side by side \param
/// folder  holds nothing but what this function wrote
AutomaticReportNumbers write_automatic_report(const AutomaticReportInput& input, const std::filesystem::path& page,
                                              const std::filesystem::path& folder, const StopFlag& stop,
                                              const AutomaticReportLimits& limits = {});

}  // namespace touchstone::collection::automatic::report
