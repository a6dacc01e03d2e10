#pragma once

#include "extractors/dump/byte_source.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikidata {

/// Whole lines of a file, one after the other.
struct LineBlock {
  std::unique_ptr<char[]> bytes;  ///< with the padding of LineBlockOptions behind them
  std::size_t size = 0;
  std::uint64_t offset = 0;             ///< of the first byte in the decompressed file
  std::vector<std::uint64_t> too_long;  ///< offsets of lines in front of the block that were left out
  bool ends_file = false;               ///< the last line may have no line end

  std::string_view text() const noexcept { return {bytes.get(), size}; }
};

struct LineBlockOptions {
  std::size_t block_bytes = std::size_t{1} << 20;      ///< asked from the source at a time
  std::size_t max_line_bytes = std::size_t{64} << 20;  ///< longer lines are left out
  std::size_t padding = 0;                             ///< readable bytes behind a block
};

/// Cuts a file into blocks that end with a line, in one pass and bounded memory: `max_line_bytes` and a block. Bytes
/// are copied only where a block ends within a line. Not thread-safe. Throws as ByteSource::read does, and FormatError
/// for a file that begins with neither `[` nor `{`.
class LineBlockReader {
 public:
  LineBlockReader(std::unique_ptr<dump::ByteSource> source, LineBlockOptions options);

  /// The next block, or nothing at the end.
  std::optional<LineBlock> next();

 private:
  /// Fills the block up to `capacity`. False at the end of the file.
  bool fill(LineBlock& block, std::size_t capacity);
  void check_begin(std::string_view bytes);
  /// Makes room for `capacity` bytes and the padding.
  void grow(LineBlock& block, std::size_t capacity) const;
  /// Drops the rest of a line that is too long from what is read next.
  void skip_line(LineBlock& block, std::size_t capacity);

  std::unique_ptr<dump::ByteSource> source_;
  LineBlockOptions options_;
  std::vector<char> carried_;  ///< begin of the next line
  std::uint64_t offset_ = 0;   ///< of `carried_`
  bool ended_ = false;
  bool begun_ = false;  ///< a byte that is not blank was seen
};

}  // namespace touchstone::extractors::wikidata
