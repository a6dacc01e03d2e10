#pragma once

#include "common/progress.hpp"
#include "common/stop.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/flow/stage_report.hpp"
#include "storage/store.hpp"

#include <cstddef>

namespace touchstone::pipeline::corpus {

struct IngestLimits {
  std::size_t slots = 8;           ///< batches in memory at once
  int threads = 1;                 ///< that read batches
  double max_reject_ratio = 0.01;  ///< share of pages that may be unusable
  bool accept_wrong_checksums = false;
};

/// Reads all pages of `files` into the store and goes on where an earlier call with the same files stopped. What is
/// written does not depend on the number of threads.
///
/// Throws Interrupted when a stop was requested; what was read is durable then. Throws FormatError when a file is
/// damaged, too many pages are unusable, or the files are of different sites.
flow::StageReport ingest(const PageFiles& files, const IngestLimits& limits, storage::Store& store,
                         const StopFlag& stop, ProgressCounters& progress);

}  // namespace touchstone::pipeline::corpus
