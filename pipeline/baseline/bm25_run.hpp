#pragma once

#include "collection/release/baseline_run.hpp"
#include "common/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

/// The run of BM25 that a release has beside its qrels.
namespace touchstone::pipeline::baseline {

enum class CollectionKind : std::uint8_t { kEvidence, kAutomatic };

/// BM25 with the parameters of `touchstone retrieve`, 100 passages for each topic. Of an automatic collection it
/// answers the titles of the test pages.
/// \param language  code of the wiki's language, for the stemmer; may be empty
/// \param scratch   an existing folder, in which the index is while the run is made
/// \param stop      looked at before each passage; outlives what is returned
collection::release::BaselineSystem bm25_system(CollectionKind kind, std::string language,
                                                std::filesystem::path scratch, int threads, const StopFlag& stop);

/// Scores the run of a collection whose data files are complete.
collection::release::BaselineScores score_run(const std::filesystem::path& directory);

}  // namespace touchstone::pipeline::baseline
