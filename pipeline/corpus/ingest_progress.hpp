#pragma once

#include "pipeline/corpus/page_issues.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace touchstone::pipeline::corpus {

/// How far an ingest came; written in the same batch as the pages.
struct IngestProgress {
  bool included_done = false;      ///< the pass that collects the pages that others include is over
  std::size_t file = 0;            ///< index of the file being read
  std::uint64_t offset = 0;        ///< of its source: everything before is in the store
  std::uint32_t before_file = 0;   ///< highest page number in the files before it
  std::uint32_t highest_page = 0;  ///< in all that was read
  std::string newest_timestamp;    ///< likewise
  std::map<std::string, std::uint64_t> counts;
  PageIssues issues;

  /// JSON text, and back. An empty text is the beginning; any other text throws StorageError.
  std::string encode() const;
  static IngestProgress decode(std::string_view text);
};

}  // namespace touchstone::pipeline::corpus
