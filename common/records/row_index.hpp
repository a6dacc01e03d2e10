#pragma once

#include "common/records/sorter.hpp"
#include "common/records/stored_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace touchstone::records {

/// Rows of numbers in ascending order of their member `key`, which are looked up by it. Memory: 8 bytes for each 64
/// rows, and what StoredBytes keeps. Thread-safe. Throws StorageError if the rows cannot be read.
template <class Row>
class RowIndex {
 public:
  /// \pre the rows are in ascending order
  explicit RowIndex(StoredBytes rows) : rows_(std::move(rows)), count_(rows_.size() / sizeof(Row)) {
    first_.reserve((count_ + kRowsPerBlock - 1) / kRowsPerBlock);
    for (std::uint64_t row = 0; row < count_; row += kRowsPerBlock)
      first_.push_back(rows_.template row<Row>(row * sizeof(Row)).key);
  }

  /// Calls `visit` for the rows with the key, in their order, until it returns false.
  template <class Visit>
  void for_each(std::uint64_t key, const Visit& visit) const {
    const auto block = std::lower_bound(first_.begin(), first_.end(), key);  // the one before can have it too
    auto row = static_cast<std::uint64_t>(std::max(block - first_.begin(), std::ptrdiff_t{1}) - 1) * kRowsPerBlock;
    for (; row < count_; row += kRowsPerBlock) {
      std::array<Row, kRowsPerBlock> rows;
      const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(kRowsPerBlock, count_ - row));
      rows_.read(row * sizeof(Row), rows.data(), static_cast<std::size_t>(end - rows.begin()) * sizeof(Row));
      auto at = std::lower_bound(rows.begin(), end, key, [](const Row& one, std::uint64_t k) { return one.key < k; });
      for (; at != end; ++at)
        if (at->key != key || !visit(*at)) return;
    }
  }
  std::optional<Row> find(std::uint64_t key) const {
    std::optional<Row> found;
    for_each(key, [&](const Row& row) {
      found = row;
      return false;
    });
    return found;
  }

 private:
  static constexpr std::size_t kRowsPerBlock = 64;

  StoredBytes rows_;
  std::uint64_t count_;
  std::vector<std::uint64_t> first_;  ///< key of each block
};

/// What was added to a sorter, as rows in ascending order.
template <class Row>
StoredBytes stored_rows(Sorter<Row>& sorter, const std::filesystem::path& folder, std::size_t memory_bytes) {
  StoredBytes rows(folder, memory_bytes);
  while (const auto row = sorter.next()) rows.add_row(*row);
  return rows;
}

}  // namespace touchstone::records
