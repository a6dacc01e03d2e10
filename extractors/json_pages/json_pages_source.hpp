#pragma once

#include "common/result.hpp"
#include "extractors/document.hpp"
#include "extractors/dump/byte_source.hpp"
#include "extractors/page_source.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// The page of one line.
struct PageLine {
  Title title;
  std::string qid;  ///< empty: not known
  Document document;
};

/// Why a line is not a page.
struct PageLineError {
  PageIssue issue;
  std::string detail;  ///< what is wrong, with the number of the section and paragraph
};

/// Bytes that must be readable behind a line (simdjson reads in blocks).
std::size_t padding() noexcept;

/// Reads lines such as `{"title": "Amber", "sections": [{"heading": "", "level": 0, "paragraphs": ["Text."]}]}`; the
/// format is described in docs/pages.md. Keeps the parser's memory between lines. Not thread-safe.
class PageLineReader {
 public:
  PageLineReader();
  ~PageLineReader();

  /// \param line  followed by padding() readable bytes; not kept after return
  Result<PageLine, PageLineError> read(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct JsonPagesOptions {
  LineReaderOptions lines;
  PageId before_first;  ///< line n becomes page before_first + n
};

/// Pages of JSON lines, one page a line (docs/pages.md). There is no site and no namespace; links go by title, letter
/// by letter.
class JsonPagesSource : public PageSource {
 public:
  JsonPagesSource(std::unique_ptr<dump::ByteSource> source, const JsonPagesOptions& options)
      : lines_(std::move(source), options.lines), before_first_(options.before_first) {}

  void skip_to(std::uint64_t offset, PageId) override { lines_.skip_to(offset); }
  std::optional<RawBatch> next() override { return lines_.next(); }
  SourceBatch read(RawBatch batch) const override;
  const std::string& name() const noexcept override { return lines_.source().name(); }
  std::uint64_t raw_offset() const noexcept override { return lines_.source().raw_offset(); }
  std::string raw_sha256() override { return lines_.source().raw_sha256(); }

 private:
  LineReader lines_;
  PageId before_first_;
};

}  // namespace touchstone::extractors::json_pages
