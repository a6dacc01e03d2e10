#pragma once

#include "collection/automatic/encoded_pages.hpp"
#include "collection/automatic/manifest.hpp"
#include "collection/health/health_check.hpp"
#include "collection/release/baseline_run.hpp"
#include "collection/release/staged_directory.hpp"

#include <filesystem>
#include <memory>

namespace touchstone::collection::automatic {

/// Writes the directory of an automatic collection (docs/automatic.md). It is built beside its final place and renamed
/// by `finish()`, so a killed run leaves the older one whole.
///
/// What takes time is done outside: `encode_query_page` and its like run in many threads. Files are compressed, and the
/// last ones written, in the TBB arena of the caller.
///
/// Query pages, pages of the knowledge base and passages each come in the order that their files have. Equal
/// calls give equal bytes. Not thread-safe. Throws StorageError, and FormatError for an id that breaks readers.
class AutomaticWriter {
 public:
  AutomaticWriter(const std::filesystem::path& directory, AutomaticInfo info,
                  release::Durability durability = release::Durability::kDurable);
  ~AutomaticWriter();

  void add(const EncodedQueryPage& query_page);
  void add_knowledge_page(const EncodedPage& page);
  void add_passage(const EncodedPassage& passage);
  /// Copies a file of near-duplicates (near_duplicates.hpp).
  void add_near_duplicates(const std::filesystem::path& file);

  /// Completes the files and puts the directory into its place. Call once, last.
  /// \param examine  examines the data files, whose manifest.json is not there yet; what it finds goes into the card
  /// and manifest.json
  /// \param baseline  makes the run of the release, if the test part has pages; may be null
  AutomaticNumbers finish(const health::HealthExaminer& examine = {},
                          const release::BaselineSystem* baseline = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::collection::automatic
