#pragma once

#include "common/ids.hpp"
#include "common/stop.hpp"
#include "pipeline/entities/linked_pages.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace touchstone::pipeline::entities {

struct DictionarySettings {
  std::filesystem::path file;     ///< to write
  std::filesystem::path scratch;  ///< folder for temporary files
  std::string wiki;               ///< site part of the ids of entities
  int threads = 1;
  std::uint32_t min_links = 1;  ///< phrases that are links on fewer pages, and no title, are left out
  bool missing_pages = false;   ///< links to pages that the store does not have lead to entities too
  /// What has no page is a term of a book: it is an entity, and its phrases count as links wherever they are.
  bool terms = false;
  std::string language;  ///< of the texts; empty: the wiki's. Forms of one noun are one entity without a page
  /// Pages whose links do not count: those that judgments are derived from, or that accuracy is measured on.
  std::function<bool(PageId)> left_out = [](PageId) { return false; };
  std::map<std::string, std::string> facts;  ///< further ones that the dictionary shall state
};

/// The fact "yes" of a dictionary whose entities need no page.
inline constexpr const char* kMissingPagesFact = "missing_pages";

/// What went into a dictionary.
struct DictionaryReport {
  std::uint64_t pages = 0, left_out = 0;  ///< that were read, and that were left out
  std::uint64_t links = 0;                ///< different (page, phrase, entity)
  std::uint64_t anchors = 0, entities = 0;
  std::uint64_t without_page = 0;  ///< entities that are no page of the store
};

/// Makes the dictionary of a wiki (linking/dictionary.hpp) from its links, titles and redirects, and the texts in which
/// phrases are without a link. The bytes do not depend on the number of threads. Memory: the dictionary's size, and
/// `kSortBytes` for each of two sorters; the rest is sorted on disk. Throws Interrupted if a stop was requested, and
/// StorageError.
DictionaryReport build_dictionary(const LinkedPages& pages, const DictionarySettings& settings, const StopFlag& stop);
inline constexpr std::size_t kSortBytes = std::size_t{256} << 20;

}  // namespace touchstone::pipeline::entities
