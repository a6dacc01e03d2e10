#pragma once

#include "collection/baseline_run.hpp"
#include "collection/collection_info.hpp"
#include "collection/collection_numbers.hpp"
#include "collection/health_check.hpp"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// manifest.json, written and read.
namespace touchstone::collection {

/// A file as it lies in the directory.
struct FileEntry {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct Manifest {
  CollectionInfo info;
  CollectionNumbers numbers;
  std::vector<HealthCheck> health;  ///< empty: the collection was written without them
  std::optional<BaselineRun> baseline;
  std::vector<FileEntry> files;
};

inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{1} << 26;

/// Parses `manifest_json` of a CollectionInfo. Throws FormatError if it is not an object, or if it holds a name that
/// manifest.json has already.
nlohmann::ordered_json parse_build_manifest(const std::string& manifest_json);

/// The numbers as they stand in manifest.json.
nlohmann::ordered_json numbers_json(const CollectionNumbers& numbers);

/// The bytes of manifest.json. Without health checks or a baseline run, it does not name any.
std::string manifest_text(const CollectionInfo& info, const CollectionNumbers& numbers,
                          const std::vector<FileEntry>& files, const std::vector<HealthCheck>& health = {},
                          const std::optional<BaselineRun>& baseline = {});

/// Reads `directory`/manifest.json. Throws StorageError if it is unreadable, FormatError with the remedy if it is
/// damaged, not of a collection, or of a format version that this program does not read.
Manifest read_manifest(const std::filesystem::path& directory);

/// What an exception of the JSON library says, without its number in brackets, which is of no use to people.
std::string json_complaint(const std::exception& error);

}  // namespace touchstone::collection
