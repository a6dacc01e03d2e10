#pragma once

#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::collection::evidence::report {

/// How an evidence collection is parted into pages, and how much of a topic is shown. All topics and all that was left
/// out are shown, however many there are; what a topic has beyond its limits is named with the file that has it.
struct ReportLimits {
  std::size_t max_file_bytes = std::size_t{270} << 10;  ///< of the content of a page; a page has one topic at least
  std::size_t max_listed_topics = 1500;                 ///< on the first page; more get pages of their own
  /// Of the pages of topics together. A topic gets an equal share of them, within the two bounds below.
  std::uint64_t max_topics_bytes = std::uint64_t{256} << 20;
  std::size_t min_topic_bytes = std::size_t{16} << 10;
  std::size_t max_topic_bytes = std::size_t{240} << 10;
  std::size_t max_passage_code_points = 2500;  ///< longer passages are cut around the first mention
  /// Titles and aliases of members that the search of the first page knows; with more, it knows topics only.
  std::size_t max_searched_member_bytes = std::size_t{1} << 20;
};

/// What was written.
struct ReportNumbers {
  std::uint64_t topics = 0, lists = 0, files = 0;
};

/// Writes the report of an evidence collection: one page with its numbers, health and an index of its lists, and a
/// folder beside it with pages of the topics and of what was left out. The pages need nothing from outside; a script is
/// needed for the search only.
///
/// The folder is built beside its final place and renamed; then the page is written, so a killed run leaves no half of
/// either. Equal collections give equal bytes. Memory: some 1 KB a topic, 8 bytes a shown passage, the page, and
/// some 200 MB; all else is sorted on disk, beside the folder.
/// Throws StorageError, FormatError with file and line if the collection is damaged, and Interrupted.
/// \param page     the page that is opened first; the folder is linked from it by its name, so both are side by side
/// \param folder   holds nothing but what this function wrote
/// \param judging  what judging took, as the judge stage writes it (docs/judging.md); if empty, the page has no section
/// on it
ReportNumbers write_report(const std::filesystem::path& directory, const std::filesystem::path& page,
                           const std::filesystem::path& folder, std::string_view judging, const StopFlag& stop,
                           const ReportLimits& limits = {});

}  // namespace touchstone::collection::evidence::report
