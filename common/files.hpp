#pragma once

#include "common/descriptor.hpp"
#include "common/digest.hpp"
#include "common/gzip_blocks.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone {

/// Reads a whole small file of at most `max_bytes`. Throws StorageError with path and reason.
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes = std::uint64_t{1} << 32);

/// What to do with a file that has the name of a partial file.
enum class InTheWay : std::uint8_t {
  kReplace,  ///< a plain file is left from a run that was killed: for folders of the program
  kRefuse,   ///< it may be the user's own: for names that the user gives
};

/// A file that is complete.
struct FinishedFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// How a file is written.
struct WriteOptions {
  WriteOptions() = default;
  WriteOptions(InTheWay what) : in_the_way(what) {}  // NOLINT(google-explicit-constructor): the usual option

  InTheWay in_the_way = InTheWay::kReplace;
  bool flush_to_disk = true;  ///< false: the caller does it, for many files at once
  Compression compression = Compression::kOwnThread;
  /// If set, the file is digested while it is written, and this is called when it has its name.
  std::function<void(const FinishedFile&)> finished;
};

/// A file that gets its name only when it is complete. Bytes are written to `<path>.partial`. `finish()` flushes them
/// to disk, renames the file and flushes the folder. Without `finish()`, the destructor removes the partial file and
/// keeps an older `path`. The partial file is always a new one: symbolic links are not followed, and what is not a
/// plain file is never replaced. Not thread-safe. Every failed write throws StorageError.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path, WriteOptions options = {});
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  std::uint64_t bytes_written() const noexcept { return bytes_written_; }
  void finish();

 private:
  void write_buffer();

  std::filesystem::path path_, partial_;
  WriteOptions options_;
  Descriptor file_;
  std::string buffer_;
  std::optional<Sha256> digest_;
  std::uint64_t bytes_written_ = 0;
};

/// Writes text line by line into an AtomicFile, gzip-compressed if the name ends in ".gz" (gzip_blocks.hpp), so that
/// equal texts give equal bytes.
class TextWriter {
 public:
  explicit TextWriter(const std::filesystem::path& path, const WriteOptions& options = {});
  ~TextWriter();
  void write(std::string_view text);
  /// \pre the name ends in ".gz"
  void write(const DeflatedPiece& piece);
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Calls `line(text, line_number)` for every line of a plain or gzip file, and stops if it returns false. Numbers are
/// 1-based; texts have no line end and no '\r' before it. Throws StorageError if the file cannot be read, FormatError
/// if it is truncated or damaged, or if a line is longer than `max_line_bytes`.
void for_each_line(const std::filesystem::path& path, const std::function<bool(std::string_view, std::uint64_t)>& line,
                   std::size_t max_line_bytes = std::size_t{1} << 28);

/// Writes `bytes` through an AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes, const WriteOptions& options = {});

/// Flushes all files below a folder to disk, and the entries of the folders. Many files at once take far less time than
/// one after the other. Throws StorageError.
void sync_files_below(const std::filesystem::path& folder);

/// Total size in bytes of the files in a folder and its subfolders, 0 if there is no such folder. Files that are
/// removed while it counts are left out.
std::uint64_t bytes_below(const std::filesystem::path& folder);

/// Flushes a folder's entries to disk, so that a rename in it survives a power cut.
void sync_folder(const std::filesystem::path& folder);

/// "; did you mean FILE?" with the name in the folder of `path` that is nearest to a path which is not there; empty if
/// none is near. Looks at no more than the first thousand names.
std::string did_you_mean_file(const std::filesystem::path& path);

}  // namespace touchstone
