#pragma once

#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace touchstone::extractors::dump {

/// Compression of a file. It is detected from the first bytes, never from the name.
enum class Compression { kNone, kBzip2, kGzip, kZstd, kXz, kSevenZip };

/// A stream of decompressed bytes, read once from start to end. One owner, one reading thread.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills `buffer` with up to `size` bytes; 0 means the end was reached and every checksum held.
  /// Throws FormatError on damaged or truncated input (file, byte offset, remedy), StorageError when reading fails, and
  /// Interrupted when the stop flag is set while it waits.
  virtual std::size_t read(char* buffer, std::size_t size) = 0;

  /// Bytes taken from the file so far. May be asked from another thread.
  virtual std::uint64_t raw_offset() const noexcept = 0;
  virtual const std::string& name() const noexcept = 0;
  /// SHA-256 of the raw file. \pre read() returned 0
  virtual std::string raw_sha256() = 0;
};

struct ByteSourceOptions {
  bool use_lbzip2 = true;  ///< decompress bzip2 with the `lbzip2` program, where installed, on several cores
  int decompress_threads = 2;
  bool skip_damage = false;  ///< a damaged block of bzip2 gives one zero byte; other kinds have no blocks
  bool digests = true;       ///< raw_sha256() will be asked
  /// Place in the file where the bytes to decompress begin. What is before counts for raw_offset() and raw_sha256().
  std::uint64_t start = 0;
  /// A tar archive gives those of its files whose names have one of these endings, one after the other, a line end
  /// behind each. Without endings it is refused, as other archives are.
  std::vector<std::string> tar_members = {};
  const StopFlag* stop = nullptr;  ///< ends the waiting for a pipe or another program; outlives the source
};

/// Opens a dump file, `-` for standard input, and decompresses it on the fly: plain, bzip2 (single- and multistream),
/// gzip, zstd, xz, 7z (not from standard input). Archives of several files are refused: others than 7z at once, 7z at
/// the end of its first file. UTF-16 text, and XML that names another encoding, becomes UTF-8.
std::unique_ptr<ByteSource> open_byte_source(const std::filesystem::path& path, const ByteSourceOptions& options = {});

/// The next bytes of a source, at most `most`, which it then gives once more.
std::string peek(std::unique_ptr<ByteSource>& source, std::size_t most);

}  // namespace touchstone::extractors::dump
