#pragma once

#include "cli/command.hpp"
#include "pipeline/baseline/bm25_run.hpp"

#include <filesystem>
#include <string>

namespace touchstone::cli::build {

using pipeline::baseline::CollectionKind;

/// Answers the topics of a finished collection with all baseline systems, studies how much of the known evidence their
/// pools hold, and writes runs and the study's files to `<work>/coverage/evidence` or `<work>/coverage/automatic`. Does
/// nothing if all of these are there, unchanged, and were made of the same collection by the same program. Other files
/// in the folder stay. After an interruption the runs are made anew.
/// \param flags  work directory and threads; with `force` everything is made again
/// \returns      lines for the user: what the study found, or why there was nothing to study
std::string measure_coverage(const WorkFlags& flags, CollectionKind kind, const Context& context);

}  // namespace touchstone::cli::build
