#pragma once

#include "extractors/page_source.hpp"
#include "storage/reading_record.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <vector>

namespace touchstone::pipeline::corpus {

/// Everything of one page that goes into the store, ready to write.
struct PageRecords {
  PageId id;
  storage::PageRecord page;
  /// All but its title. The keys of a family ascend; the page itself comes last.
  std::vector<storage::Entry> entries;
  std::uint64_t links = 0, paragraphs = 0, tables = 0;
  extractors::DocumentCounters counters;
  bool is_taken_over = false;  ///< from the previous work directory, which has its entries

  /// `page` is the last entry, and what its rendering met was counted before.
  template <class Fields>
  void fields(Fields& field) {
    field("id", id)("entries", entries)("links", links)("paragraphs", paragraphs)("tables", tables);
  }
};

/// Turns a page of a source into records. Pure and thread-safe.
PageRecords make_page_records(extractors::SourcePage source);

/// What the reading of a page met.
extractors::DocumentCounters counters_of(const storage::ReadingRecord& record);

/// The entry by which a page is found by its title.
storage::Entry title_entry(const Title& title, PageId id);

/// Adds to `batch` what removes all records of a page from the store.
void erase_page(storage::Batch& batch, PageId id, const storage::PageRecord& page);

}  // namespace touchstone::pipeline::corpus
