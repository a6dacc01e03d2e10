#pragma once

#include "retrieval/document.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace touchstone::retrieval {

enum class Unit : std::uint8_t { kPassages, kEntities };

/// What manifest.json says of a collection.
struct CollectionFacts {
  bool is_automatic = false;
  std::string language;  ///< code of the language of the wiki; may be empty
};

struct SourceOptions {
  Unit unit = Unit::kPassages;
  std::string part = "test";                  ///< of an automatic collection
  std::string level = "hierarchical";         ///< of an automatic collection: article, toplevel or hierarchical
  std::filesystem::path topics;               ///< `id<TAB>text`; empty: those of the collection
  std::optional<CollectionFacts> facts = {};  ///< of a directory that has no manifest.json yet
};

/// What a directory gives to retrieval: documents and topics. Not thread-safe.
class CollectionSource {
 public:
  CollectionSource() = default;
  CollectionSource(const CollectionSource&) = delete;
  CollectionSource& operator=(const CollectionSource&) = delete;
  virtual ~CollectionSource() = default;

  /// Calls `take` for every document in the order of the corpus. Throws FormatError with file, line and remedy at the
  /// first one that is none. Ids are not checked here.
  virtual void for_each_document(const std::function<void(Document&&)>& take) = 0;
  /// In the order of the file. Throws FormatError.
  virtual std::vector<Topic> topics() = 0;
  /// All files that documents are made of.
  virtual std::vector<std::filesystem::path> document_files() const = 0;
  /// The one of them with the documents, for messages.
  virtual std::filesystem::path corpus_file() const = 0;
  /// The pages that the topics were made from. What they link to is the answer, so that no system may see it.
  virtual std::unordered_set<std::string> list_pages() const { return {}; }
  /// Code of the language of the wiki; empty if the directory does not say.
  virtual std::string language() const { return ""; }
};

/// Looks what the directory is: an evidence collection, an automatic one, a directory in the form of BEIR (corpus.jsonl
/// or corpus.jsonl.gz, queries.jsonl) or of ir_datasets (docs.tsv, queries.tsv). Throws FormatError if it is none of
/// these, ConfigError if it has nothing of the unit that is wanted.
std::unique_ptr<CollectionSource> open_collection(const std::filesystem::path& directory, const SourceOptions& options);

namespace internal {

std::unique_ptr<CollectionSource> open_lines(const std::filesystem::path& directory, const SourceOptions& options,
                                             std::string language);
std::unique_ptr<CollectionSource> open_automatic(const std::filesystem::path& directory, const SourceOptions& options,
                                                 std::string language);
/// The topics of a file; throws FormatError if there are none.
std::vector<Topic> read_topic_file(const std::filesystem::path& path);

}  // namespace internal

}  // namespace touchstone::retrieval
