#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace touchstone::formats::car {

/// Bytes of a file, piece by piece. Not thread-safe.
class ByteInput {
 public:
  virtual ~ByteInput() = default;
  /// Reads up to `size` bytes; 0 only at the end. Throws StorageError if the file cannot be read, FormatError if it is
  /// a damaged or truncated gzip file.
  virtual std::size_t read(char* into, std::size_t size) = 0;
  /// The file as messages name it.
  virtual const std::string& name() const noexcept = 0;
};

/// A plain or gzip file; gzip is told from the content. Throws StorageError if it cannot be opened.
std::unique_ptr<ByteInput> open_file_input(const std::filesystem::path& path);

}  // namespace touchstone::formats::car
