#pragma once

#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/records.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::evidence {

/// Brings records that name a passage together with it. Memory: a hash for each passage that is named; the rest is
/// sorted on disk. Not thread-safe.
/// \tparam Row  a record with the member `docid`
template <class Row>
class PassageJoin {
 public:
  /// \param folder        of the disk that holds what does not fit into memory
  /// \param memory_bytes  of what is held at once
  PassageJoin(const std::filesystem::path& folder, std::size_t memory_bytes)
      : rows_(folder, memory_bytes / 2), passages_(folder, memory_bytes / 2) {}

  void add(Row row) {
    docids_.insert(xxh3_64(row.docid));
    rows_.add(std::move(row));
  }

  /// Calls `use(row, passage)` for each row, by docid; the passage is null if the corpus has none of that docid. May be
  /// called once. Throws FormatError if a line of `corpus` (corpus.jsonl.gz) is not a passage, and Interrupted.
  template <class Use>
  void for_each(const std::filesystem::path& corpus, const StopFlag& stop, const Use& use) {
    if (docids_.empty()) return;
    read(corpus, stop);
    auto passage = passages_.next();
    while (auto row = rows_.next()) {
      stop.check();
      while (passage && passage->docid < row->docid) passage = passages_.next();
      const PassageRecord* const found = passage && passage->docid == row->docid ? &*passage : nullptr;
      use(std::move(*row), found);  // found before, since arguments are evaluated in any order
    }
  }

 private:
  struct ByDocid {
    bool operator()(const auto& a, const auto& b) const { return a.docid < b.docid; }
  };

  void read(const std::filesystem::path& corpus, const StopFlag& stop) {
    CollectionLineReader reader;
    for_each_line(
        corpus,
        [&](std::string_view line, std::uint64_t number) {
          stop.check();
          auto passage = reader.passage(line);
          if (!passage) {
            throw FormatError(fmt::format("{}:{}: {}; touchstone validate lists all that is wrong", corpus.string(),
                                          number, passage.error()));
          }
          if (docids_.contains(xxh3_64(passage->docid))) passages_.add(std::move(*passage));
          return true;
        },
        kMaxCollectionLineBytes);
  }

  records::Sorter<Row, ByDocid> rows_;
  records::Sorter<PassageRecord, ByDocid> passages_;
  std::unordered_set<std::uint64_t> docids_;  ///< hashes
};

}  // namespace touchstone::collection::evidence
