#pragma once

#include "collection/release/staged_directory.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Names of the files of an automatic collection.
namespace touchstone::collection::automatic {

/// Names of a release's files that are beside `<part>.pages.cbor`, as users of TREC CAR know them.
struct ReleaseFileNames {
  std::string part;  ///< "train", "test", "fold-0-train", ...

  std::string pages() const { return part + ".pages.cbor"; }
  std::string outlines() const { return pages() + "-outlines.cbor"; }
  std::string paragraphs() const { return pages() + "-paragraphs.cbor"; }
  std::string passage_qrels(std::string_view level) const { return pages() + "-" + std::string(level) + ".qrels"; }
  std::string entity_qrels(std::string_view level) const {
    return pages() + "-" + std::string(level) + ".entity.qrels";
  }
  std::string support_passages() const { return pages() + "-tree.entitypsg.qrels"; }
  std::string clusters() const { return pages() + "-toplevel.cluster.jsonl.gz"; }
  std::string entity_linking() const { return pages() + "-entity-linking.jsonl.gz"; }
  std::string faceted_qrels() const { return part + ".faceted.qrels"; }
};

// Files that cover all parts of a folder.
inline constexpr const char* kTitlesFile = "titles";               ///< a title a line
inline constexpr const char* kTopicsFile = "topics";               ///< CAR ids of pages and their sections, one a line
inline constexpr const char* kQidsFile = "qids";                   ///< QIDs of the pages that have one
inline constexpr const char* kEntityQidsFile = "entity-qids.tsv";  ///< CAR id<TAB>QID of entities whose QID is known
inline constexpr const char* kIdMapFile = "ids.tsv";  ///< CAR id<TAB>unambiguous id of all pages and sections
inline constexpr const char* kDuplicatesFile = "duplicates.tsv";   ///< near-duplicates (near_duplicates.hpp)
inline constexpr const char* kLocatorsFile = "locators.jsonl.gz";  ///< where each passage of the corpus stands
inline constexpr const char* kTopicTextFile = "topics.tsv";        ///< unambiguous id of the page<TAB>title

/// The file of qrels in the folder of the hub: `qrels/tree-test.jsonl`.
std::string hub_qrels_name(std::string_view level, std::string_view split);

/// All articles but the query pages, in the form and under the name of TREC CAR's releases.
inline constexpr std::string_view kKnowledgeBase = "allButBenchmark";
/// The passages of all articles, each text once.
inline constexpr std::string_view kCorpusFile = "dedup.articles-paragraphs.cbor";

/// Each fold has some ten files open at once.
inline constexpr std::uint32_t kMostFolds = 20;
inline constexpr std::size_t kPagesPerSplit = 100'000;         ///< of a file of JSON lines
inline constexpr std::size_t kParagraphsPerSplit = 1'000'000;  ///< of a file of JSON lines

/// Of an automatic collection.
const release::DirectoryLayout& automatic_layout();

}  // namespace touchstone::collection::automatic
