#pragma once

#include "analysis/studies/study.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "common/settings.hpp"

#include <deque>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::cli::studies {

/// The flags of one study: those that all studies share, and one for each option of the study. A flag is named after
/// its option: `partial.base_systems` is --base-systems. They are read over the file of --config.
class StudyFlags {
 public:
  /// Declares the flags. The object must outlive the command.
  void add_to(CLI::App* command, const analysis::studies::Study& study);

  /// Declares what all studies share, and --set for the options of single studies. The object must outlive the command.
  void add_to_all(CLI::App* command);

  /// The effective options: defaults, then `first`, then the file, then the flags. Throws ConfigError with all
  /// problems. \param first  options in TOML, with what gives them
  Settings read(const std::vector<std::pair<std::string, std::string>>& first = {});
  int threads() const noexcept { return threads_; }

 private:
  void add_shared(CLI::App* command);
  void add_option(CLI::App* command, const Settings& defaults, std::size_t option, const OptionRow& row,
                  const OptionField& field);

  std::string config_;
  int threads_ = 0;
  std::vector<std::string> runs_, measures_, assignments_;
  /// Flag, and the option's key with its value in TOML, in the order of the command line.
  std::vector<std::pair<std::string, std::string>> given_;
  std::deque<std::pair<std::string, bool>> switches_;  ///< assignment, and whether its flag is given
};

/// Where an interrupted study keeps its finished parts: in `folder`/.parts, for the same program, options and files.
/// Without a folder nothing is kept.
analysis::studies::FinishedParts parts_of(const analysis::studies::Study& study, const Settings& settings,
                                          const std::filesystem::path& folder);

/// Runs the study with a progress bar in an arena of `threads` threads.
analysis::studies::StudyOutput run_study(const analysis::studies::Study& study, const Settings& settings, int threads,
                                         analysis::studies::FinishedParts& parts, const Context& context);

}  // namespace touchstone::cli::studies
