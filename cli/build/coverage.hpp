#pragma once

#include "cli/command.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace touchstone::cli::build {

enum class CollectionKind : std::uint8_t { kEvidence, kAutomatic };

/// Answers the topics of a finished collection with all baseline systems, studies how much of the known evidence their
/// pools hold, and writes runs, overlaps and the study's files to `<work>/coverage/evidence` or
/// `<work>/coverage/automatic`. Does nothing if these were made of the same collection by the same program.
/// \returns two lines for the user
std::string measure_coverage(const std::filesystem::path& work, CollectionKind kind, int threads,
                             const Context& context);

}  // namespace touchstone::cli::build
