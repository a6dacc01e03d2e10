#pragma once

#include "analysis/studies/study.hpp"
#include "cli/command.hpp"

#include <filesystem>

namespace touchstone::cli::studies {

/// Where an interrupted study keeps its finished parts: in `folder`/.parts, for the same program, options and files.
/// Without a folder nothing is kept.
analysis::studies::FinishedParts parts_of(const analysis::studies::Study& study, const Settings& settings,
                                          const std::filesystem::path& folder);

/// Runs the study with a progress bar in an arena of `threads` threads.
analysis::studies::StudyOutput run_study(const analysis::studies::Study& study, const Settings& settings, int threads,
                                         analysis::studies::FinishedParts& parts, const Context& context);

}  // namespace touchstone::cli::studies
