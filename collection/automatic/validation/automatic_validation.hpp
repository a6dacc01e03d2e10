#pragma once

#include "collection/release/baseline_run.hpp"
#include "collection/release/validation.hpp"
#include "common/stop.hpp"

#include <filesystem>

namespace touchstone::collection::automatic::validation {

/// Checks an automatic collection: all files are there and as in sha256sums.txt; passages have the SHA-1 of their text
/// as id, each id once; every relevant passage is in the corpus; no query page, redirect to one or copy of its text is
/// in the knowledge base; and every file follows from the pages, the corpus, the near-duplicates and the queries. For
/// the last, the directory is written once more to the system's folder for temporary files, and compared.
/// Throws StorageError if the directory cannot be read or there is no space for the copy, and Interrupted if a stop was
/// requested; the copy is removed then too.
release::ValidationReport validate_automatic(const std::filesystem::path& directory, const StopFlag& stop,
                                             const release::BaselineScorer& score);

}  // namespace touchstone::collection::automatic::validation
