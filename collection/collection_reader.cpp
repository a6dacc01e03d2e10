#include "collection/collection_reader.hpp"

#include "collection/manifest.hpp"

#include <utility>

namespace touchstone::collection {

CollectionSummary read_collection_summary(const std::filesystem::path& directory) {
  auto manifest = read_manifest(directory);
  return {std::move(manifest.info), std::move(manifest.numbers), std::move(manifest.health)};
}

}  // namespace touchstone::collection
