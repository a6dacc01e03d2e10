#pragma once

#include "collection/evidence/audit_records.hpp"
#include "collection/health/health_check.hpp"
#include "collection/release/baseline_run.hpp"
#include "collection/release/validation.hpp"
#include "common/stop.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

/// What can be done with a collection of either kind; manifest.json says which it is.
namespace touchstone::collection {

/// Throws StorageError unless `directory` is a folder that may be a collection; the message names the folder that is
/// meant, if the path is misspelt or that of a work directory.
/// \param purpose  "validate": what cannot be done
void require_collection_directory(const std::filesystem::path& directory, std::string_view purpose);

/// Checks a collection directory: files present and as in sha256sums.txt; ids safe, unique and defined; documents not
/// empty; qrels sorted, in range, without duplicates, their topics and docids defined; TREC and BEIR forms equal;
/// judgments, members and qrels consistent; every file reads back to the bytes it came from. Memory: the ids.
/// Of an automatic collection: docs/automatic.md. A collection without problems is examined by the checks of
/// `examine_collection`, and those that fail are warnings.
/// Throws StorageError only when the directory cannot be read at all, and Interrupted if a stop was requested.
/// \param score  scores the baseline run, to be compared with what the collection says of it; without it, the scores
/// are not checked
/// \param audit  computes again what follows from people's answers; without it, only the labels are checked that they
/// gave
release::ValidationReport validate_collection(const std::filesystem::path& directory, const StopFlag& stop = StopFlag(),
                                              const release::BaselineScorer& score = {},
                                              const evidence::AuditExaminer& audit = {});

/// Makes the health checks of a collection (docs/health.md). Throws as `evidence::examine_evidence`.
std::vector<health::HealthCheck> examine_collection(const std::filesystem::path& directory,
                                                    const StopFlag& stop = StopFlag());

}  // namespace touchstone::collection
