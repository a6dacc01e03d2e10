#pragma once

#include "common/result.hpp"
#include "extractors/document.hpp"
#include "extractors/page_issue.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace touchstone::extractors::json_pages {

/// The page of one line.
struct PageLine {
  Title title;
  std::string qid;  ///< empty: not known
  Document document;
};

/// Why a line is no page.
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

}  // namespace touchstone::extractors::json_pages
