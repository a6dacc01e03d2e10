#pragma once

#include "common/descriptor.hpp"
#include "common/digest.hpp"
#include "common/stop.hpp"
#include "extractors/dump/byte_source.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace touchstone::extractors::dump::internal {

/// 1234567 -> "1 234 567", for byte offsets in messages.
inline std::string grouped_digits(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, " ");
  return text;
}

/// The raw bytes of a file or of standard input (`-`), counted and digested; the first bytes can be looked at.
/// Throws StorageError. One reading thread; offset() and cancel() may be called from another.
class RawFile {
 public:
  /// \param stop  ends the waiting for a pipe or a terminal with Interrupted; may be null, and outlives this object
  /// \param digests  sha256() will be asked
  explicit RawFile(const std::filesystem::path& path, const StopFlag* stop = nullptr, bool digests = true);

  /// Reads what is in front of a place. Throws FormatError if the file ends there or before. \pre nothing was read
  void pass(std::uint64_t place);

  /// The next bytes, which read() gives again. \pre nothing was read but what was passed
  std::string_view peek(std::size_t size);

  /// Fills `buffer` with up to `size` bytes; 0 at the end.
  std::size_t read(char* buffer, std::size_t size);

  /// Goes to a place of a plain file, from which read() goes on. The digest is of what is read. \pre nothing was read
  void seek(std::uint64_t place);

  /// Lets a read() that waits, and all later ones, say that the end was reached.
  void cancel() noexcept { cancelled_ = true; }

  std::uint64_t offset() const noexcept { return offset_.load(std::memory_order_relaxed); }
  std::uint64_t size() const noexcept { return size_; }
  const std::string& name() const noexcept { return name_; }
  /// As it was given.
  const std::filesystem::path& path() const noexcept { return path_; }
  /// Of the whole file: what was not read yet is read. \pre digests
  std::string sha256();

 private:
  std::size_t read_descriptor(char* buffer, std::size_t size);

  std::filesystem::path path_;
  std::string name_;
  Descriptor file_;
  int descriptor_;  ///< of `file_`, or of standard input
  const StopFlag* stop_;
  bool digests_;
  bool may_wait_ = false;  ///< it is not a plain file
  std::atomic<bool> cancelled_{false};
  std::uint64_t size_ = 0;
  std::string head_;
  std::size_t head_used_ = 0;
  std::atomic<std::uint64_t> offset_{0};
  Sha256 digest_;
};

/// Waits until `descriptor` can be read or has ended, at most until the stop flag is set, and then throws Interrupted.
/// Signals end a plain read() only in the thread that gets them; this wait sees the flag wherever it runs.
/// \param stop       may be null
/// \param cancelled  ends the wait as well; may be null. Returns false then
bool wait_readable(int descriptor, const StopFlag* stop, const std::atomic<bool>* cancelled = nullptr);

/// Throws FormatError: where in the file, why, and what to do.
[[noreturn]] void throw_damaged(const RawFile& file, const std::string& why);

/// The same for bzip2, whose first damaged block is looked up, and named if it is found. `stop` may be null.
[[noreturn]] void throw_damaged_bzip2(const RawFile& file, const std::string& why, const StopFlag* stop);

/// A source that reads one raw file; kinds of compression derive from it.
class FileSource : public ByteSource {
 public:
  explicit FileSource(std::unique_ptr<RawFile> file) : file_(std::move(file)) {}
  std::uint64_t raw_offset() const noexcept override { return file_->offset(); }
  const std::string& name() const noexcept override { return file_->name(); }
  std::string raw_sha256() override { return file_->sha256(); }

 protected:
  std::unique_ptr<RawFile> file_;
};

/// Changes the bytes of another source, and says the same of the raw file.
class WrappingSource : public ByteSource {
 public:
  explicit WrappingSource(std::unique_ptr<ByteSource> inner) : inner_(std::move(inner)) {}
  std::uint64_t raw_offset() const noexcept override { return inner_->raw_offset(); }
  const std::string& name() const noexcept override { return inner_->name(); }
  std::string raw_sha256() override { return inner_->raw_sha256(); }

 protected:
  std::unique_ptr<ByteSource> inner_;
};

// Sources that decompress a raw file. They throw as ByteSource::read does.

/// gzip by zlib itself, which checks length and CRC of every member; libarchive's reader does not.
std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<RawFile> file);

/// bzip2, zstd, xz and 7z through libarchive, which follows concatenated streams and checks their sums.
///
/// \param path  of the file: libarchive opens a 7z itself
std::unique_ptr<ByteSource> make_archive_source(std::unique_ptr<RawFile> file, Compression compression,
                                                const std::filesystem::path& path);

/// The files of a tar archive whose names have one of `endings`, one after the other, a line end behind each.
/// \param tar  gives the archive, unpacked
std::unique_ptr<ByteSource> make_tar_source(std::unique_ptr<ByteSource> tar, std::vector<std::string> endings);

bool lbzip2_is_installed();

/// bzip2 through the `lbzip2` program, which uses several cores. How the program ended decides what is thrown: only
/// when it says that the data is damaged, the file is (FormatError); if a signal or a limit ended it, or if it could
/// not run, nothing is known of the file (StorageError). \pre it is installed
std::unique_ptr<ByteSource> make_lbzip2_source(std::unique_ptr<RawFile> file, const ByteSourceOptions& options);

}  // namespace touchstone::extractors::dump::internal
