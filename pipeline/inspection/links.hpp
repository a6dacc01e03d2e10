#pragma once

#include "storage/store.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

namespace touchstone::pipeline::inspection {

/// Which links `for_each_link` gives.
struct LinkSelection {
  bool resolved = false;   ///< redirects followed; links to pages that are not in the dump left out
  bool text_only = false;  ///< without links that only a template rule makes
};

/// What resolved links cost.
struct LinkMemory {
  std::filesystem::path folder;  ///< for files without names
  /// For the table of titles. A larger wiki is read several times, with a part of the titles each.
  std::size_t table_bytes = std::size_t{192} << 20U;
};

/// Calls `link(from_title, to_title)` for the distinct links from articles to articles, by source page id, then target
/// title, in MediaWiki's text form. Titles are told apart by hashes of 64 bits, as in stage link. Memory besides the
/// table: 16 bytes a redirect. Throws StorageError.
void for_each_link(const storage::Store& store, const LinkSelection& selection, const LinkMemory& memory,
                   const std::function<void(std::string_view, std::string_view)>& link);

}  // namespace touchstone::pipeline::inspection
