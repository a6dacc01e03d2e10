#pragma once

#include "common/stop.hpp"
#include "retrieval/collection_source.hpp"
#include "retrieval/docid_store.hpp"
#include "retrieval/link_graph.hpp"
#include "retrieval/text_store.hpp"
#include "retrieval/tokenizer.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace Xapian {
class Database;
}

namespace touchstone::retrieval {

/// What is indexed of a document. Each field is an index of its own, so that lengths and frequencies are those of the
/// field.
enum class Field : std::uint8_t {
  kAll,      ///< title, headings and text, stemmed
  kText,     ///< text, words as they are
  kTitle,    ///< title and headings, stemmed
  kLead,     ///< beginning of the page, or the first 12 words of the passage, stemmed
  kAnchors,  ///< texts of links to the page, stemmed
};

struct FieldInfo {
  Field field;
  std::string_view name;  ///< of the folder
  bool is_stemmed;
  std::string_view description;
};

inline constexpr std::array<FieldInfo, 5> kFields{
    {{Field::kAll, "all", true, "title, headings and text, stemmed"},
     {Field::kText, "text", false, "text, words as they are"},
     {Field::kTitle, "title", true, "title and headings, stemmed"},
     {Field::kLead, "lead", true, "first words, stemmed"},
     {Field::kAnchors, "anchors", true, "texts of links to the page, stemmed"}}};

constexpr const FieldInfo& info_of(Field field) {
  return kFields[static_cast<std::size_t>(field)];
}

/// Fields, each by its bit.
using FieldSet = std::bitset<kFields.size()>;

struct IndexOptions {
  std::string stemmer;          ///< Snowball's name or a language code; empty: none
  std::filesystem::path links;  ///< `from<TAB>to` titles, as `touchstone links` writes them; empty: those of the corpus
  FieldSet fields = FieldSet().set();  ///< that are indexed; the others have no terms
  bool has_graph = true;               ///< whether links between pages are kept, which are in memory
  /// The words of the topics, as they are and stemmed: scores are the same if no others are indexed, but feedback needs
  /// all. Null: all words.
  const TermSet* words = nullptr;
  const StopFlag* stop = nullptr;  ///< looked at before each document
};

/// Digest of everything an index depends on: the bytes of the files, the options and the form of the index.
std::string index_fingerprint(const CollectionSource& source, Unit unit, const IndexOptions& options);

/// An index on disk. Memory: DocidStore, and the graph of links if it has one. Immutable and thread-safe.
class Index {
 public:
  /// Opens the index of this fingerprint below `place`, or builds it with the threads of the caller's TBB arena. A
  /// folder gets its name only when its index is complete; what a killed run left behind has another name and is
  /// removed. Throws FormatError at a docid that no run can hold, at one that comes twice, and if there are no
  /// documents; StorageError if the place cannot be written or an index is damaged.
  static Index open_or_build(const std::filesystem::path& place, CollectionSource& source, Unit unit,
                             const IndexOptions& options);

  bool was_built() const noexcept { return was_built_; }
  std::size_t size() const noexcept { return docids_->size(); }
  std::string docid(std::uint32_t document) const { return docids_->docid(document); }
  /// Place of the document in the byte order of docids.
  std::uint32_t order(std::uint32_t document) const { return docids_->order(document); }
  bool is_in_docid_order() const noexcept { return docids_->is_in_order(); }
  /// Whether one hit is ranked before the other: by score, equal ones by docid in byte order.
  bool ranks_before(const Hit& a, const Hit& b) const {
    return a.score != b.score ? a.score > b.score : order(a.document) < order(b.document);
  }
  /// Brings hits into order and keeps the best `depth`.
  void rank(Ranking& hits, std::size_t depth) const;
  /// The number of a document, or -1.
  std::int64_t find(std::string_view docid) const { return docids_->find(docid); }
  const LinkGraph& links() const noexcept { return links_; }
  bool has(Field field) const noexcept { return has_field_[static_cast<std::size_t>(field)]; }
  /// What was indexed of a document as text and title. \pre all words are indexed
  StoredText text(std::uint32_t document) const { return texts_->read(document); }
  /// A handle of its own, for one thread. The documents of the corpus have the numbers from 1 on.
  Xapian::Database open(Field field) const;

 private:
  Index(std::filesystem::path folder, const IndexOptions& options);

  std::filesystem::path folder_;
  std::unique_ptr<DocidStore> docids_;
  LinkGraph links_;
  std::unique_ptr<TextStore> texts_;
  std::array<bool, kFields.size()> has_field_{};
  bool was_built_ = false;
};

namespace internal {

/// Builds the index in an empty folder.
void build_index(const std::filesystem::path& folder, CollectionSource& source, const IndexOptions& options);

}  // namespace internal

}  // namespace touchstone::retrieval
