#pragma once

#include "extractors/dump/byte_source.hpp"
#include "extractors/raw_batch.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::extractors::json_pages {

struct LineReaderOptions {
  std::size_t batch_bytes = std::size_t{1} << 20;       ///< a batch ends with the line that reaches this size
  std::size_t max_line_bytes = std::size_t{256} << 20;  ///< longer lines are left out and counted
  std::size_t read_bytes = std::size_t{1} << 20;        ///< asked from the source at a time
};

/// Cuts a file into batches of whole lines, in one pass and bounded memory. Lines are counted from 1, which is the
/// `place` of a record; blank lines are counted and left out, as are line ends and a byte order mark. Not thread-safe.
class LineReader {
 public:
  explicit LineReader(std::unique_ptr<dump::ByteSource> source, LineReaderOptions options = {});

  /// Reads on to byte `offset` of the decompressed file, which begins a line. Throws FormatError when the file is
  /// shorter.
  void skip_to(std::uint64_t offset);

  /// The next batch, or nothing at the end.
  std::optional<RawBatch> next();

  dump::ByteSource& source() { return *source_; }
  const dump::ByteSource& source() const { return *source_; }

 private:
  /// Forgets what lies before `at_` and reads more bytes. False at the end of the file.
  bool fill();
  /// Adds the next line to `batch`. False at the end of the file.
  bool take_line(RawBatch& batch);

  std::unique_ptr<dump::ByteSource> source_;
  LineReaderOptions options_;
  std::string window_;  ///< bytes [window_offset_, window_offset_ + size) of the decompressed file
  std::uint64_t window_offset_ = 0;
  std::size_t at_ = 0;       ///< begin of the next line in the window
  std::uint64_t lines_ = 0;  ///< that end before `at_`
  bool ended_ = false;       ///< the source has no more bytes
};

}  // namespace touchstone::extractors::json_pages
