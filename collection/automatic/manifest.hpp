#pragma once

#include "collection/automatic/judgments.hpp"
#include "collection/release/collection_facts.hpp"
#include "collection/release/manifest.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// manifest.json of an automatic collection.
namespace touchstone::collection::automatic {

/// How an automatic collection describes itself.
struct AutomaticInfo : release::CollectionFacts {
  static constexpr auto kKind = release::CollectionKind::kAutomatic;

  std::uint32_t folds = 1;  ///< 1: no files for folds
  bool list_items = false;  ///< list items are passages
  bool captions = false;    ///< captions of images are passages
  /// The wiki whose pages stand in knowledge base and corpus beside the collection's own; none or one.
  std::vector<release::WikiFacts> knowledge;
};

/// Counts by QrelsLevel.
using LevelCounts = std::array<std::uint64_t, std::size(kQrelsLevels)>;

/// What a part of the collection holds.
struct PartNumbers {
  std::uint64_t pages = 0;
  std::uint64_t toplevel_facets = 0, facets = 0;
  LevelCounts passages{};  ///< relevant (topic, passage) pairs
  LevelCounts entities{};  ///< relevant (topic, entity) pairs

  template <class Fields>
  void fields(Fields& field) {
    field("pages", pages)("toplevel_facets", toplevel_facets)("facets", facets)("passages", passages)("entities",
                                                                                                      entities);
  }

  PartNumbers& operator+=(const PartNumbers& other);
  friend bool operator==(const PartNumbers&, const PartNumbers&) = default;
};

struct AutomaticNumbers {
  std::map<std::string, PartNumbers> parts;
  std::uint64_t passages = 0;         ///< in the corpus
  std::uint64_t knowledge_pages = 0;  ///< in the knowledge base
  std::uint64_t shared_car_ids = 0;   ///< CAR ids that represent several pages or sections; not in manifest.json
};

using Manifest = release::Manifest<AutomaticInfo, AutomaticNumbers>;

/// As release::manifest_text.
std::string manifest_text(const Manifest& manifest);

/// As release::read_manifest.
Manifest read_manifest(const std::filesystem::path& directory);

}  // namespace touchstone::collection::automatic
