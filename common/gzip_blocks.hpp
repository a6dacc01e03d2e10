#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace touchstone {

/// Which threads compress. The bytes are the same.
enum class Compression : std::uint8_t {
  kOwnThread,  ///< the thread that writes
  kParallel,   ///< all threads of the caller's TBB arena
};

/// Compresses a text to one gzip member that any reader takes. The text is cut into blocks of a fixed size, each of
/// which is compressed by itself with the end of the block before it as dictionary, and ends at a full byte; the bytes
/// therefore depend on the text alone. The header has no name and no time.
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
  /// Call once, last.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone
