#pragma once

#include "annotation/campaign.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace touchstone::annotation {

/// The options of the folder's last run, from its `campaign.json`; nothing if the folder has no campaign. Throws
/// StorageError and FormatError.
std::optional<CampaignOptions> kept_options(const std::filesystem::path& folder);

/// Keeps the options in `campaign.json` for the next run, and returns the campaign's id. Kind, seed and rotation must
/// be those that it began with, since orders and places of characters depend on them. Throws ConfigError where they
/// differ, FormatError and StorageError.
std::string keep_options(const std::filesystem::path& folder, const CampaignOptions& options, TaskKind kind);

}  // namespace touchstone::annotation
