#pragma once

#include "collection/evidence/collection_info.hpp"
#include "collection/evidence/collection_numbers.hpp"
#include "collection/release/manifest.hpp"

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

/// manifest.json of an evidence collection.
namespace touchstone::collection::evidence {

using Manifest = release::Manifest<CollectionInfo, CollectionNumbers>;

/// The numbers as they are in manifest.json.
nlohmann::ordered_json numbers_json(const CollectionNumbers& numbers);

/// What people found about the judge, as it is in manifest.json.
nlohmann::ordered_json audit_json(const AuditSummary& audit);

/// As release::manifest_text.
std::string manifest_text(const Manifest& manifest);

/// As release::read_manifest.
Manifest read_manifest(const std::filesystem::path& directory);

}  // namespace touchstone::collection::evidence
