#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::collection::report {

/// How much of a collection its report page embeds. The numbers are always those of the whole collection. The page says
/// what is left out and which file has it.
struct ReportLimits {
  std::size_t max_topics = 400;                   ///< opened with members and passages: the first ones by id
  std::size_t max_listed_topics = 20'000;         ///< at least named in the list
  std::size_t max_members = 300;                  ///< a topic
  std::size_t max_evidence = 60;                  ///< a topic
  std::size_t max_not_evidence = 15;              ///< a topic, judged no and not judged each
  std::size_t max_passage_code_points = 2500;     ///< longer passages are cut around the first mention
  std::size_t max_discarded = 2000;               ///< rows
  std::size_t max_bytes = std::size_t{24} << 20;  ///< of passage texts over all topics
};

/// Reads a collection directory and gives its self-contained report page (HTML5, no outside resource). Throws
/// StorageError and FormatError as the readers of the files do. Memory: the page, twice.
/// \param judging  what judging took, as the judge stage writes it (docs/judging.md); if empty, the page has no section
/// on it
std::string render_report(const std::filesystem::path& directory, const ReportLimits& limits = {},
                          std::string_view judging = {});

}  // namespace touchstone::collection::report
