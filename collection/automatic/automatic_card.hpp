#pragma once

#include "collection/automatic/automatic_writer.hpp"
#include "collection/manifest.hpp"

#include <string>
#include <vector>

/// What an automatic collection says of itself.
namespace touchstone::collection::automatic {

/// `kind` of manifest.json.
inline constexpr std::string_view kAutomaticKind = "automatic";

/// README.md, for people.
std::string automatic_card(const AutomaticInfo& info, const AutomaticNumbers& numbers,
                           const std::vector<HealthCheck>& health = {},
                           const std::optional<BaselineRun>& baseline = {});

/// LICENSE: under which licence the texts are, as far as it is known.
std::string license_text(const AutomaticInfo& info);

/// The bytes of manifest.json.
/// \param files  all files of the directory but manifest.json and the digests
std::string automatic_manifest(const AutomaticInfo& info, const AutomaticNumbers& numbers,
                               const std::vector<FileEntry>& files, const std::vector<HealthCheck>& health = {},
                               const std::optional<BaselineRun>& baseline = {});

/// Whether manifest.json of a directory says that it is an automatic collection. False for what cannot be read as JSON.
/// Throws StorageError if the file is there and cannot be read.
bool is_automatic(const std::filesystem::path& directory);

/// What manifest.json says of the collection. Throws StorageError and FormatError.
AutomaticInfo read_automatic_info(const std::filesystem::path& directory);

/// The health checks that manifest.json has; empty if the collection was written without them. Throws StorageError and
/// FormatError.
std::vector<HealthCheck> read_automatic_health(const std::filesystem::path& directory);
/// The baseline run that manifest.json describes, if there is one. Throws StorageError and FormatError.
std::optional<BaselineRun> read_automatic_baseline(const std::filesystem::path& directory);

}  // namespace touchstone::collection::automatic
