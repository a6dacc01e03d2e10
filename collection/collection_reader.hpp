#pragma once

#include "collection/collection_info.hpp"
#include "collection/collection_numbers.hpp"
#include "collection/health_check.hpp"

#include <filesystem>
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

}  // namespace touchstone::collection
