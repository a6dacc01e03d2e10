#pragma once

#include "collection/health/health_check.hpp"
#include "collection/release/baseline_run.hpp"
#include "collection/release/collection_facts.hpp"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// manifest.json of collections of both kinds. manifest_json.hpp has what writes and reads it.
namespace touchstone::collection::release {

/// Raised when any file of the collection changes its form.
inline constexpr int kCollectionFormatVersion = 1;
inline constexpr std::string_view kCollectionFormatName = "touchstone-collection";

inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{1} << 26;

/// A file as it lies in the directory.
struct FileEntry {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// What manifest.json says.
/// \tparam Info  of the kind, derived from CollectionFacts; `Info::kKind` is the CollectionKind
/// \tparam Numbers  what the kind counts
template <class Info, class Numbers>
struct Manifest {
  Info info;
  Numbers numbers;
  std::vector<health::HealthCheck> health;  ///< empty: the collection was written without them
  std::optional<BaselineRun> baseline;
  std::vector<FileEntry> files;  ///< all but manifest.json and sha256sums.txt
};

/// What `manifest.json` says the collection is: evidence without a kind, also where it cannot be read as JSON.
/// Throws StorageError if the file is there and cannot be read.
CollectionKind kind_of(const std::filesystem::path& directory);

/// Throws FormatError if `manifest_json` of a collection is not an object, or if it holds a name that manifest.json has
/// already.
void check_build_manifest(const CollectionFacts& facts);

/// What an exception of the JSON library says, without its number in brackets, which is of no use to people.
std::string json_complaint(const std::exception& error);

}  // namespace touchstone::collection::release
