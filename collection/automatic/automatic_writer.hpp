#pragma once

#include "collection/automatic/encoded_pages.hpp"
#include "collection/baseline_run.hpp"
#include "collection/health_check.hpp"
#include "collection/staged_directory.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace touchstone::collection::automatic {

/// How an automatic collection describes itself.
struct AutomaticInfo {
  std::string name;  ///< "ltgwiki-20170120-automatic"
  std::string wiki, site_name, base_url, language;
  std::string license;  ///< of the texts, SPDX; empty: not known
  std::string dump_date;
  std::vector<std::string> dump_names;
  std::string program_version;
  std::string manifest_json;  ///< effective config, stage counts, dump digests: merged into manifest.json
  std::uint32_t folds = 1;    ///< 1: no files for folds
  bool list_items = false;    ///< list items are passages
  bool captions = false;      ///< captions of images are passages
};

struct AutomaticNumbers {
  std::map<std::string, PartNumbers> parts;
  std::uint64_t passages = 0;         ///< in the corpus
  std::uint64_t knowledge_pages = 0;  ///< in the knowledge base
  std::uint64_t shared_car_ids = 0;   ///< CAR ids that stand for several pages or sections
};

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
                  Durability durability = Durability::kDurable);
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
  AutomaticNumbers finish(const HealthExaminer& examine = {}, const BaselineSystem* baseline = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::collection::automatic
