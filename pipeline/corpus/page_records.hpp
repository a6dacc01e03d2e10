#pragma once

#include "extractors/page_source.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <cstdint>

namespace touchstone::pipeline::corpus {

/// Everything of one page that goes into the store, ready to write.
struct PageRecords {
  PageId id;
  storage::PageRecord page;
  storage::Batch batch;  ///< page, title, outline, paragraphs, tables, links, attributes
  std::uint64_t links = 0, paragraphs = 0, tables = 0;
  extractors::DocumentCounters counters;
};

/// Turns a page of a source into records. Pure and thread-safe.
PageRecords make_page_records(const extractors::SourcePage& source);

/// Adds to `batch` what removes all records of a page from the store.
void erase_page(storage::Batch& batch, PageId id, const storage::PageRecord& page);

}  // namespace touchstone::pipeline::corpus
