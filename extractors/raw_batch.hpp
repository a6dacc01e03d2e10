#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::extractors {

/// Whole records of a source, one record a page, as bytes: what the serial part of reading cuts off and the parallel
/// part reads.
struct RawBatch {
  struct Record {
    std::size_t begin = 0, size = 0;  ///< within `bytes`
    std::uint64_t place = 0;          ///< of the record in the source: a byte offset or a line number
  };
  std::string bytes;
  std::vector<Record> records;
  std::vector<std::uint64_t> too_large;  ///< places of records that were left out because of their size
  std::uint64_t end_offset = 0;          ///< for `PageSource::skip_to`: everything up to the end of this batch is read
};

}  // namespace touchstone::extractors
