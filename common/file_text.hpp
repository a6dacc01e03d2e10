#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone {

/// The whole text of a file for as long as the object lives. A plain file is mapped, so that its pages belong to the
/// page cache and cost no copy; a gzip file, a pipe and standard input (`-`) are read into memory. Safe to read from
/// many threads.
class FileText {
 public:
  /// Throws StorageError when the file cannot be read, FormatError when it is a damaged or truncated gzip file or
  /// packed in another way, or when text that has to be held in memory exceeds `max_bytes`.
  explicit FileText(const std::filesystem::path& path, std::uint64_t max_bytes = std::uint64_t{1} << 34);
  ~FileText();
  FileText(const FileText&) = delete;
  FileText& operator=(const FileText&) = delete;

  std::string_view view() const noexcept { return {data_, size_}; }
  /// Says that the bytes are not needed for now, so that a large mapped file need not be in memory as a whole. They
  /// stay valid and come back from the file when looked at.
  void release(std::size_t begin, std::size_t end) const noexcept;

 private:
  const char* data_ = "";
  std::size_t size_ = 0;
  bool mapped_ = false;
  std::string read_;
};

/// The 1-based number of the line that the byte at `offset` stands in.
std::uint64_t line_number(std::string_view text, std::size_t offset) noexcept;

}  // namespace touchstone
