#pragma once

#include "extractors/json_pages/line_reader.hpp"
#include "extractors/page_source.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace touchstone::extractors::json_pages {

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

  void skip_to(std::uint64_t offset) override { lines_.skip_to(offset); }
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
