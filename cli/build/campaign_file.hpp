#pragma once

#include "cli/command.hpp"
#include "common/settings.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::cli {

/// A build of a campaign: a wiki in a month with a configuration.
struct CampaignBuild {
  std::string wiki, month, config;  ///< month and config are empty where the file names none
  WorkFlags flags;                  ///< as `touchstone build` would get them

  /// "shinto/20260501/plain": the place below the campaign's directory.
  std::filesystem::path place() const;
};

struct Campaign {
  std::filesystem::path work;         ///< of all builds
  std::string to;                     ///< target; empty: the default of `build`
  std::vector<CampaignBuild> builds;  ///< wikis in the file's order, of each the months, of each the configurations
};

/// The options of a campaign file: those of the file's own sections, and how jobs are given to Slurm.
Settings campaign_settings();

/// Reads the settings as builds; paths are relative to the folder of the file. Throws ConfigError with all that is
/// wrong.
/// \param settings     with the file's values
/// \param assignments  of the command line: they are given to every build, over those of the file
Campaign campaign_of(const Settings& settings, const std::filesystem::path& file,
                     const std::vector<std::string>& assignments);

}  // namespace touchstone::cli
