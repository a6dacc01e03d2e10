#pragma once

#include "collection/automatic/automatic_writer.hpp"
#include "collection/collection_info.hpp"
#include "collection/health_check.hpp"
#include "common/stop.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// How usable a collection is: numbers that a reader would look at before publishing it, each with a bound, a verdict
/// and the option that mends it (docs/health.md). The checks read the files alone.
namespace touchstone::collection::health {

/// Examines an evidence or automatic collection; manifest.json says which it is. Texts are read as a stream. Memory:
/// some 150 bytes for each judgment and passage, and at most 400 MB for near repeats. The result depends on the bytes
/// of the files only. Thread-safe.
/// Throws StorageError if a file cannot be read, FormatError with file, line and remedy if one is damaged, and
/// Interrupted if a stop was requested.
std::vector<HealthCheck> examine_collection(const std::filesystem::path& directory, const StopFlag& stop = StopFlag());

/// Examines the data files of an evidence collection, whose manifest.json need not be there yet. Throws as
/// `examine_collection`.
/// \param info  tells which grades are evidence, and the options of the run: remedies that it applied are not named
std::vector<HealthCheck> examine_evidence(const std::filesystem::path& directory, const CollectionInfo& info,
                                          const StopFlag& stop = StopFlag());

/// Examines the data files of an automatic collection, whose manifest.json need not be there yet. Throws as
/// `examine_collection`.
/// \param info  tells what counts as a passage besides paragraphs, and the options of the run
std::vector<HealthCheck> examine_automatic(const std::filesystem::path& directory, const automatic::AutomaticInfo& info,
                                           const StopFlag& stop = StopFlag());

/// All checks as a table for a terminal, each with its verdict, and with the remedy if it failed.
std::string health_table(const std::vector<HealthCheck>& checks);

/// For the end of a build: how many checks passed, and those that failed, a line each. Empty without checks.
std::string health_summary(const std::vector<HealthCheck>& checks);

/// {ok, checks} with a line end.
std::string health_report_json(const std::vector<HealthCheck>& checks);

/// A failed check in one sentence: for warnings and errors.
std::string failure_text(const HealthCheck& check);

}  // namespace touchstone::collection::health
