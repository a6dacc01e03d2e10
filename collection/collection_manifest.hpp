#pragma once

#include "collection/collection.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

/// manifest.json, written and read.
namespace touchstone::formats::internal {

/// A file as it lies in the directory.
struct FileEntry {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct Manifest {
  CollectionInfo info;
  CollectionNumbers numbers;
  std::vector<FileEntry> files;
};

inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{1} << 26;

/// Parses `manifest_json` of a CollectionInfo; throws FormatError when it is no object, or holds a name that
/// manifest.json has already.
nlohmann::ordered_json parse_build_manifest(const std::string& manifest_json);

nlohmann::ordered_json numbers_json(const CollectionNumbers& numbers);

/// The bytes of manifest.json.
std::string manifest_text(const CollectionInfo& info, const CollectionNumbers& numbers,
                          const std::vector<FileEntry>& files);

/// Reads `directory`/manifest.json. Throws StorageError when unreadable, FormatError with the remedy when it is
/// damaged, not of a collection, or of a format version that this program does not read.
Manifest read_manifest(const std::filesystem::path& directory);

/// JSON as people read it: two spaces a level, non-ASCII as it is, bytes that are not UTF-8 replaced, a line end.
std::string pretty_json(const nlohmann::ordered_json& value);

}  // namespace touchstone::formats::internal
