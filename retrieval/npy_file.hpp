#pragma once

#include "common/descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace touchstone::retrieval {

/// A matrix in NumPy's .npy file: versions 1 to 3, little-endian float32 or float16, two dimensions, C order. Rows are
/// read from the file when they are asked for. Thread-safe.
class NpyFile {
 public:
  /// Reads the header, of at most 64 KiB, and compares the size of the file with it. Throws StorageError if the file
  /// cannot be read, FormatError if it is another file, of another type, order or shape, or longer or shorter than
  /// its shape says.
  explicit NpyFile(std::filesystem::path path);

  const std::filesystem::path& path() const noexcept { return path_; }
  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }

  /// Rows from `first` on, as many as fit into `values`. Throws StorageError if the file cannot be read, FormatError at
  /// a number that is not finite.
  /// \pre values.size() is a multiple of columns(), and the rows exist
  void read_rows(std::size_t first, std::span<float> values) const;

 private:
  void parse_header(const std::string& header);
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  Descriptor file_;
  std::size_t rows_ = 0, columns_ = 0, value_bytes_ = 0;
  std::uint64_t data_offset_ = 0;
};

}  // namespace touchstone::retrieval
