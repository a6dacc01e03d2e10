#include "collection/collection_reader.hpp"

#include "collection/collection_files.hpp"
#include "collection/manifest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <system_error>
#include <utility>

namespace touchstone::collection {

CollectionSummary read_collection_summary(const std::filesystem::path& directory) {
  auto manifest = read_manifest(directory);
  return {std::move(manifest.info), std::move(manifest.numbers), std::move(manifest.health)};
}

void require_collection_directory(const std::filesystem::path& directory, std::string_view purpose) {
  namespace fs = std::filesystem;
  const std::string cannot = "cannot " + std::string(purpose) + " " + directory.string() + ": ";
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    const auto meant = error ? did_you_mean_file(directory) : std::string();
    throw StorageError(cannot + (error ? error.message() : "it is no folder") + meant +
                       "; name the directory of a collection");
  }
  if (fs::exists(directory / kManifest.name, error)) return;
  for (const auto* folder : {"collection", "automatic"}) {
    if (fs::exists(directory / folder / kManifest.name, error))
      throw StorageError(cannot + "it is a work directory; name the collection in it, " +
                         (directory / folder).string());
  }
}

}  // namespace touchstone::collection
