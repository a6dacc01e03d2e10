#pragma once

#include "common/files.hpp"
#include "common/records/sorter.hpp"
#include "retrieval/stored_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::retrieval {

/// The docid of a document, and its number in the order of the corpus.
struct NumberedDocid {
  std::string docid;
  std::uint32_t number = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("docid", docid)("number", number);
  }
  friend auto operator<=>(const NumberedDocid&, const NumberedDocid&) = default;
};

/// Writes the docids of an index in bounded memory. Not thread-safe. Throws StorageError.
class DocidStoreWriter {
 public:
  /// Makes the files in a folder. \param sort_bytes  memory for docids; the rest is sorted in the folder
  explicit DocidStoreWriter(const std::filesystem::path& folder, std::size_t sort_bytes = kSortBytes);

  void add(std::string_view docid);
  std::size_t size() const noexcept { return count_; }
  /// Call once, last. Returns the first document whose docid an earlier one has.
  std::optional<NumberedDocid> finish();

 private:
  static constexpr std::size_t kSortBytes = std::size_t{16} << 20;

  AtomicFile docids_, ends_, sorted_;
  records::Sorter<NumberedDocid> sorter_;
  std::uint64_t end_ = 0;
  std::uint32_t count_ = 0;
};

/// The docids of an index, by number and in byte order. Memory: 4 bytes a document, or none if the corpus is in the
/// order of docids; docids stay in the files. Thread-safe. Throws StorageError if the files cannot be read.
class DocidStore {
 public:
  explicit DocidStore(const std::filesystem::path& folder);

  std::size_t size() const noexcept { return ends_.bytes() / sizeof(std::uint64_t); }
  /// \pre the document exists
  std::string docid(std::uint32_t document) const;
  /// Place of the document in the byte order of docids.
  std::uint32_t order(std::uint32_t document) const { return order_.empty() ? document : order_[document]; }
  /// Whether the order of the corpus is the byte order of docids.
  bool is_in_order() const noexcept { return order_.empty(); }
  /// The number of a document, or -1. Reads some 20 docids of a million.
  std::int64_t find(std::string_view docid) const;

 private:
  std::uint32_t document_at(std::uint32_t place) const;

  StoredFile docids_, ends_, sorted_;
  std::vector<std::uint32_t> order_;
};

}  // namespace touchstone::retrieval
