#pragma once

#include "pipeline/corpus/ingest_progress.hpp"
#include "pipeline/corpus/page_records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::corpus {

/// What a batch of a source became.
struct PageBatch {
  std::vector<PageRecords> pages;
  PageIssues issues;
  std::uint64_t end_offset = 0;
};

/// What a batch of a source holds of pages that others may include.
struct IncludedBatch {
  storage::Batch records;
  std::uint64_t texts = 0;  ///< pages that can be included
  std::uint64_t end_offset = 0;
};

/// Takes batches in the order of the source and makes them durable, each together with the place where the next run
/// would go on. Not thread-safe.
class PageWriter {
 public:
  PageWriter(storage::Store& store, IngestProgress progress) : store_(store), progress_(std::move(progress)) {}

  void write(PageBatch&& batch);
  void write(IncludedBatch&& batch);
  /// The file that was being read is at its end.
  void next_file();
  /// The pass over all files that collects included pages is over; the pass that reads the pages begins.
  void included_done();

  const IngestProgress& progress() const noexcept { return progress_; }

 private:
  bool replace(storage::Batch& batch, const PageRecords& page, const std::map<PageId, PageRecords>& here);
  std::optional<PageRecords> kept(PageId id, const std::map<PageId, PageRecords>& here) const;
  void commit(storage::Batch& batch);

  storage::Store& store_;
  IngestProgress progress_;
};

}  // namespace touchstone::pipeline::corpus
