#pragma once

#include "extractors/dump/raw_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace touchstone::extractors::dump::internal {

/// What begins at a place of a bzip2 file, and its bits. Source: the bzip2 format, as described in
/// github.com/dsnet/compress/blob/master/doc/bzip2-format.pdf (sections 2.2 and 2.2.2, read 2025-01).
struct Bzip2Piece {
  bool is_block = false;    ///< or the end of a stream
  std::uint64_t place = 0;  ///< byte of the file in which its first bit is
  std::size_t shift = 0;    ///< bits of the first byte in front of it
  std::size_t bits = 0;     ///< up to the next piece, or to where one would have to be
  std::string bytes;

  /// The checksum that the file gives, of a block or of the blocks of a stream. \pre bits >= 80
  std::uint32_t checksum() const noexcept;
};

/// Cuts a bzip2 file into blocks at the marks in front of them, whatever is damaged between two. Memory: 4 MB. Not
/// thread-safe. Throws StorageError and Interrupted as RawFile::read does.
class Bzip2Cutter {
 public:
  explicit Bzip2Cutter(RawFile& file) : file_(file) {}

  /// The next piece; nothing at the end of the file.
  std::optional<Bzip2Piece> next();

 private:
  /// The bit of the next mark at or behind `bit`; nothing if none is in the window.
  std::optional<std::uint64_t> find_mark(std::uint64_t bit) const;
  std::uint64_t bits_at(std::uint64_t bit) const noexcept;
  bool fill();

  RawFile& file_;
  std::string window_;
  std::uint64_t window_place_ = 0;  ///< of the window's first byte in the file
  std::uint64_t bit_ = 0;           ///< in the window: up to here all is done
  bool ended_ = false;
};

/// The text of a block; nothing if it is not what its checksum says. What follows the block in the piece is ignored.
std::optional<std::string> decompress_block(const Bzip2Piece& piece);
/// Two neighbours as one: bits within a block can look like a mark.
Bzip2Piece joined(const Bzip2Piece& first, const Bzip2Piece& second);

/// bzip2 in which damaged blocks are passed over: each gives one zero byte in place of its text. Blocks are
/// decompressed by the threads of the caller's TBB arena.
std::unique_ptr<ByteSource> make_undamaged_bzip2_source(std::unique_ptr<RawFile> file);

/// The first byte of the first damaged block of a bzip2 file between two places; nothing if all that can be checked is
/// whole. Takes about a second for 8 MB.
std::optional<std::uint64_t> find_bzip2_damage(const std::filesystem::path& path, std::uint64_t first,
                                               std::uint64_t end, const StopFlag* stop);

}  // namespace touchstone::extractors::dump::internal
