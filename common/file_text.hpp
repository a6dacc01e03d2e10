#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone {

/// Holds the whole text of a file. A plain file is memory-mapped: this avoids a copy, and its pages belong to the page
/// cache. A gzip file, a pipe and standard input (`-`) are read into memory.
/// Several threads may read concurrently.
class FileText {
 public:
  /// Throws StorageError if the file cannot be read. Throws FormatError if it is a damaged or truncated gzip file, if
  /// it is compressed in another way, if it is an archive, if a line is longer than 64 to 128 MiB, or if text that must
  /// be read into memory exceeds `max_bytes` or half of the computer's memory, or grows without measure when
  /// decompressed.
  explicit FileText(const std::filesystem::path& path, std::uint64_t max_bytes = std::uint64_t{1} << 34);
  ~FileText();
  FileText(const FileText&) = delete;
  FileText& operator=(const FileText&) = delete;

  std::string_view view() const noexcept { return {data_, size_}; }
  /// Releases the memory of these bytes, so that a large mapped file need not be in memory as a whole. The bytes stay
  /// valid; the next access reads them from the file again.
  void release(std::size_t begin, std::size_t end) const noexcept;

 private:
  const char* data_ = "";
  std::size_t size_ = 0;
  bool mapped_ = false;
  std::string read_;
};

/// The 1-based number of the line that contains the byte at `offset`.
std::uint64_t line_number(std::string_view text, std::size_t offset) noexcept;

}  // namespace touchstone
