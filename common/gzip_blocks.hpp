#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace touchstone {

/// Which threads compress. The bytes are the same.
enum class Compression : std::uint8_t {
  kOwnThread,  ///< the thread that writes
  kParallel,   ///< all threads of the caller's TBB arena
};

/// A text that was compressed by itself and can be in several files: `GzipBlocks::write` takes it as it is.
struct DeflatedPiece {
  std::string bytes;           ///< deflate blocks that end at a full byte, none of them the last one of a member
  std::uint32_t checksum = 0;  ///< CRC-32 of the text
  std::uint64_t text_bytes = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("bytes", bytes)("checksum", checksum)("text_bytes", text_bytes);
  }
};

/// Makes a DeflatedPiece of a text that comes in parts, in the thread that adds them. The bytes depend on the text and
/// on how it is cut. Memory: some 270 KB and the compressed bytes. Not thread-safe. Throws StorageError when memory is
/// short.
class PieceDeflater {
 public:
  PieceDeflater();
  ~PieceDeflater();
  PieceDeflater(const PieceDeflater&) = delete;
  PieceDeflater& operator=(const PieceDeflater&) = delete;

  void add(std::string_view text);
  /// Call once, last.
  DeflatedPiece take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Compresses a text to one gzip member that any reader takes. The text is cut into blocks of a fixed size, each of
/// which is compressed by itself with the end of the block before it as dictionary, and ends at a full byte; the bytes
/// therefore depend on the text, and on which of it came as pieces, alone. The header has no name and no time.
/// Memory: at most some 6 MB with kParallel. Not thread-safe. Throws StorageError when memory is short.
/// Source: RFC 1951 and 1952; the blocks: M. Adler, pigz.
class GzipBlocks {
 public:
  using Sink = std::function<void(std::string_view bytes)>;

  /// Odd, so that no end of a block is the end of a reader's buffer: zlib's gzread() takes a file that is cut there for
  /// a whole one.
  static constexpr std::size_t kBlockBytes = 250'007;
  /// Against zlib's usual level 6, files of a collection are 1 to 3 % larger in three quarters of the time.
  static constexpr int kLevel = 5;

  /// \param sink  gets the compressed bytes in their order, in the thread that writes
  GzipBlocks(Sink sink, Compression compression);
  ~GzipBlocks();

  void write(std::string_view text);
  /// A piece is a block of its own, and ends the block before it. Equal calls give equal bytes.
  void write(const DeflatedPiece& piece);
  /// Call once, last.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone
