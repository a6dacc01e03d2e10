#pragma once

#include "common/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace touchstone::retrieval {

/// A file of an index, of which pieces are read; nothing of it is in memory. Thread-safe.
class StoredFile {
 public:
  /// Throws StorageError if the file cannot be opened.
  explicit StoredFile(std::filesystem::path path);

  std::uint64_t bytes() const noexcept { return bytes_; }
  /// Throws StorageError if the file does not have these bytes.
  void read(void* to, std::size_t bytes, std::uint64_t offset) const;
  /// Throws StorageError: the file "is damaged", and the index has to be built again.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::filesystem::path path_;
  Descriptor file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace touchstone::retrieval
