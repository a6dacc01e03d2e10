#pragma once

#include "common/digest.hpp"
#include "common/title.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::storage {

/// What the reading of a page met, and what its result depends on besides the page itself.
struct ReadingRecord {
  struct Inclusion {
    Title title;
    bool existence = false;  ///< only whether the page exists was asked
    Digest128 content{};     ///< of its text; all zeros if there is no such page
    friend bool operator==(const Inclusion&, const Inclusion&) = default;
  };
  bool date = false;                    ///< the current date
  std::vector<std::uint64_t> counters;  ///< of the document, in its order, up to the last that is not 0
  std::vector<Inclusion> inclusions;    ///< ascending by title
  struct Remark {
    std::uint64_t issue = 0;    ///< number of the extractors' PageIssue
    std::string where, detail;  ///< as there
    friend bool operator==(const Remark&, const Remark&) = default;
  };
  /// Of the page's record in its source. All zeros if that is not noted, and nothing of what follows.
  Digest128 source{};
  std::uint64_t links = 0, paragraphs = 0, tables = 0;  ///< that the page has
  std::vector<Remark> remarks;
  bool empty() const { return !date && counters.empty() && inclusions.empty() && source == Digest128{}; }
  friend bool operator==(const ReadingRecord&, const ReadingRecord&) = default;
};

std::string encode(const ReadingRecord& record);
/// Throws StorageError for bytes that `encode` did not write.
ReadingRecord decode_reading(std::string_view bytes);

}  // namespace touchstone::storage
