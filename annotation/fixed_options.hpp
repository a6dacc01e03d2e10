#pragma once

#include "annotation/campaign.hpp"

#include <filesystem>
#include <string>

namespace touchstone::annotation {

/// Keeps those options of a campaign that must not change in `campaign.json` of the folder, or compares them with what
/// is there. Returns the campaign's id. Throws ConfigError where they differ, FormatError and StorageError.
std::string keep_options(const std::filesystem::path& folder, const CampaignOptions& options, TaskKind kind);

}  // namespace touchstone::annotation
