#pragma once

#include "common/progress.hpp"
#include "common/stop.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/parts.hpp"
#include "pipeline/flow/stage_report.hpp"
#include "storage/store.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {

/// What the steps of reading pages into a store have in common.
struct IngestWork {
  const PageFiles& files;
  const IngestOptions& options;
  const LanguageOptions& language;
  const PreviousOptions& previous;
  const StopFlag& stop;
  ProgressCounters& progress;
  int threads = 1;                                    ///< that read batches
  std::uint64_t run_bytes = std::uint64_t{64} << 20;  ///< see PageRunWriter
};

/// Some of the files: numbers [first, end).
struct FileRange {
  std::size_t first = 0, end = 0;
};

/// Throws FormatError: a file is of another site than the first one.
[[noreturn]] void throw_other_site(const std::string& file, const std::string& site, const std::string& first_site);

// The steps, one after the other. What comes of them does not depend on the number of threads. Each goes on where an
// earlier call with the same files stopped. They throw Interrupted when a stop was requested; what was read is durable
// then. They throw FormatError when a file is damaged, too many pages are unusable, or the files are of different
// sites.

/// Notes what the first file says of its wiki, if it says so. A run that is killed leaves that, so that files of
/// another wiki do not take its place. Opens the file, which must not be a pipe.
void note_site(const PageFiles& files, storage::Store& store);

/// Puts the pages that others include into the store, where pages have such.
void collect_included_pages(const IngestWork& work, storage::Store& store);

/// Reads the pages of some files into runs of sorted tables (page_runs.hpp).
/// \param store  has the included pages
void read_pages(const IngestWork& work, FileRange files, const storage::Store& store, const flow::PartWriter& parts);

/// Adds the runs of all cuts to the store, and decides between copies of a page within a cut.
/// \param cuts  the files of each cut
flow::StageReport add_pages(const IngestWork& work, const std::vector<FileRange>& cuts, const flow::Parts& parts,
                            storage::Store& store);

/// Whether files that were read side by side hold pages whose numbers lie between those of others: which copy of a page
/// counts can be told only if the files are read one after the other.
bool have_overlapping_pages(const std::vector<FileRange>& cuts, const flow::Parts& parts);

}  // namespace touchstone::pipeline::corpus
