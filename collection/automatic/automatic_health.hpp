#pragma once

#include "collection/automatic/manifest.hpp"
#include "collection/health/health_check.hpp"
#include "common/stop.hpp"

#include <filesystem>
#include <vector>

namespace touchstone::collection::automatic {

/// Examines the data files of an automatic collection, whose manifest.json need not be there yet. Texts are
/// read as a stream. Memory: some 80 MB, and at most 140 MB for repeats (health::RepeatCounter). All else is written to
/// the folder for temporary files. The result depends on the bytes of the files only. Thread-safe. Throws
/// StorageError if a file cannot be read, FormatError with file, line and remedy if one is damaged, and Interrupted if
/// a stop was requested. \param info tells what counts as a passage besides paragraphs, and the options of the run
std::vector<health::HealthCheck> examine_automatic(const std::filesystem::path& directory, const AutomaticInfo& info,
                                                   const StopFlag& stop = StopFlag());

}  // namespace touchstone::collection::automatic
