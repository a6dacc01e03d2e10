#pragma once

#include "collection/automatic/automatic_files.hpp"
#include "collection/automatic/derivation.hpp"
#include "collection/automatic/judgments.hpp"
#include "common/files.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::collection::automatic {

/// What the files of a part hold of one page.
struct ReleaseLines {
  std::array<std::string, std::size(kQrelsLevels)> passages, entities;  ///< qrels, by QrelsLevel
  std::string support_passages, faceted, clusters;
  DeflatedPiece entity_linking;

  template <class Fields>
  void fields(Fields& field) {
    field("passages", passages)("entities", entities)("support_passages", support_passages)("faceted", faceted)(
        "clusters", clusters)("entity_linking", entity_linking);
  }
};

/// Pure and thread-safe. Throws FormatError if an id of the page may not be in a line of qrels.
ReleaseLines release_lines(const Derivation& derivation);

/// Writes the files of the parts of an automatic collection that follow from its query pages: all but the CBOR files.
/// Qrels are sorted; everything else keeps the order of the pages. Equal pages give equal bytes. Each file appears when
/// it is complete. Memory for sorting does not grow with the number of parts. Not thread-safe.
class ReleaseWriter {
 public:
  /// \param folder  exists. Throws StorageError if it cannot be written to.
  /// \param parts  such as "test" and "fold-0-test"
  ReleaseWriter(const std::filesystem::path& folder, const std::vector<std::string>& parts,
                const WriteOptions& options = {});
  ~ReleaseWriter();

  /// \param parts  those that the page is in: ascending indexes
  void add(const ReleaseLines& page, const std::vector<std::size_t>& parts);
  /// Uses all threads of the caller's TBB arena.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// An entity whose QID is known.
struct EntityQid {
  std::string car_id, qid;
  template <class Fields>
  void fields(Fields& field) {
    field("car_id", car_id)("qid", qid);
  }
  friend auto operator<=>(const EntityQid&, const EntityQid&) = default;
};

/// What the files of `ReleaseIndex` hold of one page.
struct IndexLines {
  std::string titles, qids, id_map, topic_texts;
  std::vector<std::string> topics;  ///< CAR ids; pages and sections may share one
  std::vector<EntityQid> entity_qids;

  template <class Fields>
  void fields(Fields& field) {
    field("titles", titles)("qids", qids)("id_map", id_map)("topic_texts", topic_texts)("topics", topics)("entity_qids",
                                                                                                          entity_qids);
  }
};

/// Pure and thread-safe.
IndexLines index_lines(const Derivation& derivation);

/// Writes the titles, ids and QIDs of the query pages of all parts, in the order in which they come, and the QIDs of
/// their entities, sorted. Memory is bounded. Not thread-safe.
class ReleaseIndex {
 public:
  /// \param folder  exists. Throws StorageError if it cannot be written to.
  explicit ReleaseIndex(const std::filesystem::path& folder, const WriteOptions& options = {});
  ~ReleaseIndex();

  void add(const IndexLines& page);
  void finish();

  /// CAR ids that represent several pages or sections. Each is in `topics` once. \pre `finish` was called
  std::uint64_t shared_ids() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::collection::automatic
