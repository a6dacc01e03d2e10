#pragma once

#include "collection/automatic/derivation.hpp"
#include "collection/automatic/judgments.hpp"
#include "formats/car/provenance.hpp"
#include "formats/car/records.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
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

/// What a part of the collection holds.
struct PartNumbers {
  std::uint64_t pages = 0;
  std::uint64_t toplevel_facets = 0, facets = 0;
  std::array<std::uint64_t, 4> passages{};  ///< relevant (topic, passage) pairs, by QrelsLevel
  std::array<std::uint64_t, 4> entities{};  ///< relevant (topic, entity) pairs, by QrelsLevel
};

struct AutomaticNumbers {
  std::map<std::string, PartNumbers> parts;
  std::uint64_t passages = 0;         ///< in the corpus
  std::uint64_t knowledge_pages = 0;  ///< in the knowledge base
  std::uint64_t shared_car_ids = 0;   ///< CAR ids that stand for several pages or sections
};

/// A query page with what follows from it.
struct QueryPageRecord {
  const formats::car::Page* page = nullptr;  ///< after all filters
  const Derivation* derivation = nullptr;
  bool test = false;
  std::uint32_t fold = 0;
  /// The text of a topic: of the page for no headings.
  std::function<std::string(const std::vector<std::string>& headings)> wording;
};

/// Writes the directory of an automatic collection (docs/automatic.md). It is built beside its final place and renamed
/// by `finish()`, so a killed run leaves the older one whole.
///
/// Query pages, pages of the knowledge base and passages each come in the order that their files have. Equal
/// calls give equal bytes. Not thread-safe. Throws StorageError, and FormatError for an id that breaks readers.
class AutomaticWriter {
 public:
  AutomaticWriter(const std::filesystem::path& directory, AutomaticInfo info);
  ~AutomaticWriter();

  void add(const QueryPageRecord& query_page);
  void add_knowledge_page(const formats::car::Page& page);
  void add_passage(const formats::car::Paragraph& passage);
  /// Copies a file of near-duplicates (near_duplicates.hpp).
  void add_near_duplicates(const std::filesystem::path& file);

  /// Completes the files and puts the directory into its place. Call once, last.
  AutomaticNumbers finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::collection::automatic
