#pragma once

#include "common/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace touchstone::records {

/// Bytes that are added at the end and read at any place. The last ones are in memory, up to a limit; those before are
/// in a file without a name, which is made when the limit is passed. Reading is thread-safe while nothing is added.
/// Throws StorageError if the file cannot be made, written or read.
class StoredBytes {
 public:
  /// \param folder  for the file
  StoredBytes(std::filesystem::path folder, std::size_t memory_bytes)
      : path_(std::move(folder)), memory_bytes_(memory_bytes) {}
  /// The bytes of an existing file, to which none can be added.
  static StoredBytes of_file(const std::filesystem::path& path);

  void add(std::string_view bytes);
  /// Adds a number, or a row of numbers, as it is in memory.
  template <class Row>
  void add_row(const Row& row) {
    static_assert(std::is_trivially_copyable_v<Row>);
    add({reinterpret_cast<const char*>(&row), sizeof row});
  }

  std::uint64_t size() const noexcept { return in_file_ + last_.size(); }
  /// \pre the bytes are there, unless somebody else made the file shorter
  void read(std::uint64_t offset, void* to, std::size_t bytes) const;
  template <class Row>
  Row row(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<Row>);
    Row row{};
    read(offset, &row, sizeof row);
    return row;
  }

 private:
  void write_out();

  std::filesystem::path path_;  ///< of the file or of its folder
  std::size_t memory_bytes_;
  Descriptor file_;
  std::uint64_t in_file_ = 0;
  std::string last_;
};

/// Lists of rows, read by their numbers: texts are lists of characters. Memory and errors are those of StoredBytes.
template <class Row>
class StoredLists {
 public:
  StoredLists(const std::filesystem::path& folder, std::size_t memory_bytes)
      : rows_(folder, memory_bytes / 2), ends_(folder, memory_bytes / 2) {}

  void add(std::span<const Row> list) {
    rows_.add({reinterpret_cast<const char*>(list.data()), list.size_bytes()});
    ends_.add_row(rows_.size());
  }
  std::uint64_t size() const noexcept { return ends_.size() / sizeof(std::uint64_t); }
  /// \param list  std::vector<Row>, or std::string for characters
  template <class List>
  void read(std::uint64_t number, List& list) const {
    const auto end_before = [&](std::uint64_t n) { return n == 0 ? 0 : ends_.row<std::uint64_t>((n - 1) * sizeof n); };
    const auto begin = end_before(number);
    list.resize((end_before(number + 1) - begin) / sizeof(Row));
    rows_.read(begin, list.data(), list.size() * sizeof(Row));
  }

 private:
  StoredBytes rows_, ends_;
};

}  // namespace touchstone::records
