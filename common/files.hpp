#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace touchstone {

/// Reads a whole file. Throws StorageError (path, reason). For files known to be small: at most `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes = std::uint64_t{1} << 32);

/// A file that appears under its name only when complete: bytes go to `<path>.partial`, and `finish()` flushes to disk,
/// renames and flushes the folder. Destroyed without `finish()`, it removes the partial file and leaves an older
/// `path` as it was. Not thread-safe. Every failed write throws StorageError.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  std::uint64_t bytes_written() const noexcept { return bytes_written_; }
  void finish();

 private:
  std::filesystem::path path_, partial_;
  std::FILE* file_ = nullptr;
  std::uint64_t bytes_written_ = 0;
};

/// Text written line by line into an AtomicFile, gzip-compressed when the name ends in ".gz". The compressed bytes are
/// the same at every run: no name and no time in the header.
class TextWriter {
 public:
  explicit TextWriter(const std::filesystem::path& path);
  ~TextWriter();
  void write(std::string_view text);
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Calls `line(text, line_number)` (1-based; no line end, a '\r' before it removed) for every line of a plain or gzip
/// file; stops early when it returns false. Throws StorageError when the file cannot be read, FormatError when it is
/// cut short, damaged, or a line is longer than `max_line_bytes`.
void for_each_line(const std::filesystem::path& path, const std::function<bool(std::string_view, std::uint64_t)>& line,
                   std::size_t max_line_bytes = std::size_t{1} << 28);

/// Writes `bytes` as an AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Flushes a folder's entries to disk, so that a rename in it survives a power cut.
void sync_folder(const std::filesystem::path& folder);

}  // namespace touchstone
