#pragma once

#include "common/ids.hpp"
#include "common/stop.hpp"
#include "pipeline/flow/source_records.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace touchstone::pipeline::difference {

/// A page of a wiki today, as far as it tells whether an older collection still holds.
struct CurrentPage {
  PageId id;
  std::string title;  ///< with the prefix of its namespace
  std::uint64_t revision = 0;
  std::string timestamp;  ///< of the revision, ISO 8601
  bool is_redirect = false;
};
using CurrentPages = std::function<void(const std::function<void(const CurrentPage&)>&)>;

/// The pages of dumps. Texts are not read. Throws as reading a dump does, and Interrupted.
CurrentPages pages_of_dumps(std::vector<flow::SourceInput> dumps, const StopFlag& stop);
/// The pages in the store of a work directory. Throws StorageError.
CurrentPages pages_of_work(const std::filesystem::path& work, const StopFlag& stop);

/// What became of some pages that a collection was made of.
struct PageFates {
  std::uint64_t pages = 0;
  std::uint64_t edited = 0;   ///< they have another revision
  std::uint64_t moved = 0;    ///< they have another title, and may be edited too
  std::uint64_t merged = 0;   ///< they are redirects now
  std::uint64_t deleted = 0;  ///< there is no page of that number
};

/// How much of an evidence collection still holds in a newer state of its wiki.
struct Staleness {
  std::string name, dump_date;  ///< of the collection; the date is that of its newest revision
  std::string newest;           ///< timestamp of the newest revision of the wiki now
  PageFates evidence_pages;     ///< pages with a passage that is evidence
  PageFates members, lists;     ///< of members and lists only those that are articles of the collection are edited
  std::uint64_t evidence = 0;   ///< (topic, member, passage)
  /// Of these, those whose page was edited, merged or deleted, or whose member was merged or deleted.
  std::uint64_t stale = 0;

  double share() const noexcept {
    return evidence == 0 ? 0 : static_cast<double>(stale) / static_cast<double>(evidence);
  }
};

/// Compares a collection with the pages of its wiki. Memory: some 100 bytes for each page with evidence, member and
/// list. Throws StorageError and FormatError for what is no evidence collection, or one that does not know revisions,
/// and ConfigError if the pages are of another wiki, or older.
Staleness staleness_of(const std::filesystem::path& collection, const CurrentPages& pages, const StopFlag& stop);

/// One line for people, and all numbers for programs.
std::string staleness_text(const Staleness& found);
std::string staleness_json(const Staleness& found);

}  // namespace touchstone::pipeline::difference
