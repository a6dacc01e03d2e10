#pragma once

#include "collection/release/baseline_run.hpp"
#include "collection/release/validation.hpp"
#include "common/stop.hpp"

#include <filesystem>

namespace touchstone::collection::automatic::validation {

/// Checks an automatic collection: all files are there and as in sha256sums.txt; passages have the SHA-1 of their text
/// as id, each id once; every relevant passage is in the corpus; no query page, redirect to one or copy of its text is
/// in the knowledge base; folds share the pages of their split; and every line and record of all other files follows,
/// by the rules of docs/automatic.md, from the pages, the corpus, the near-duplicates and the queries.
/// Nothing is written but an index of the query pages, to a folder for temporary files that is gone afterwards. Memory:
/// 8 bytes for each line of the largest part, and for each passage and page. Throws StorageError if the directory
/// cannot be read, or that folder not written, and Interrupted if a stop was requested.
release::ValidationReport validate_automatic(const std::filesystem::path& directory, const StopFlag& stop,
                                             const release::BaselineScorer& score);

}  // namespace touchstone::collection::automatic::validation
