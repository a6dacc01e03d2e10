#pragma once

#include "collection/collection_info.hpp"
#include "collection/collection_numbers.hpp"
#include "collection/health_check.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

namespace touchstone::collection {

/// What manifest.json says.
struct CollectionSummary {
  CollectionInfo info;
  CollectionNumbers numbers;
  std::vector<HealthCheck> health;  ///< empty: the collection was written without them
};

/// Reads manifest.json alone. Throws StorageError when it cannot be read, FormatError when it is damaged, of something
/// else, or of a format version that this program does not read; each with the remedy.
CollectionSummary read_collection_summary(const std::filesystem::path& directory);

/// Throws StorageError unless `directory` is a folder that may be a collection; the message names the folder that is
/// meant, if the path is misspelt or that of a work directory.
/// \param purpose  "validate": what cannot be done
void require_collection_directory(const std::filesystem::path& directory, std::string_view purpose);

}  // namespace touchstone::collection
