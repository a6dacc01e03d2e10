#pragma once

#include "extractors/document.hpp"
#include "extractors/dump_reader.hpp"
#include "extractors/site_info.hpp"
#include "storage/records.hpp"
#include "storage/store.hpp"

#include <optional>
#include <string>
#include <unordered_set>

namespace touchstone::pipeline::corpus {

/// Everything of one page that goes into the store, ready to write.
struct PageRecords {
  PageId id;
  RevisionId revision;
  storage::PageRecord page;
  storage::Batch batch;  ///< page, title, outline, paragraphs, tables, links
  std::string timestamp;
  std::uint64_t text_bytes = 0, links = 0, paragraphs = 0, tables = 0;
  extractors::DocumentCounters counters;
};

/// Title of a dump's `<title>` and `<ns>`: the namespace number is the dump's word, the prefix is cut off.
Title title_of(const extractors::SiteInfo& site, const extractors::RawPage& raw);

/// Turns a page and its parsed text (absent for pages that are known by title only) into records.
/// Pure and thread-safe.
PageRecords make_page_records(const extractors::SiteInfo& site, const extractors::RawPage& raw,
                              const std::optional<extractors::Document>& document,
                              const std::unordered_set<std::string>& disambiguation_templates);

/// Adds to `batch` what removes all records of a page from the store.
void erase_page(storage::Batch& batch, PageId id, const storage::PageRecord& page);

}  // namespace touchstone::pipeline::corpus
