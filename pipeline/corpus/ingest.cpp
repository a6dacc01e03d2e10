#include "pipeline/corpus/ingest.hpp"

#include "common/error.hpp"
#include "common/log.hpp"
#include "extractors/page_source.hpp"
#include "pipeline/corpus/included_pages.hpp"
#include "pipeline/corpus/page_runs.hpp"
#include "storage/meta_keys.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::PageSource;
using extractors::RawBatch;
using extractors::site::SiteInfo;
using storage::Family;

/// What a batch of a source holds of pages that others may include.
struct IncludedBatch {
  storage::Batch records;
  std::uint64_t texts = 0;  ///< pages that can be included
  std::uint64_t end_offset = 0;
};

/// From bytes to records: the parallel part of reading pages. Thread-safe.
/// \param previous     where pages are taken over from; may be null if the source knows none
/// \param first_site   the file says of its site what the first one does, from which a later run tells how pages were
///                     read
PageBatch read_batch(const PageSource& source, const PreviousPages* previous, bool first_site, RawBatch raw) {
  PageBatch batch;
  batch.end_offset = raw.end_offset;
  batch.last_page = raw.last_page;
  auto read = source.read(std::move(raw));
  batch.pages.reserve(read.pages.size());
  for (auto& page : read.pages) {
    if (!first_site) page.record_digest = {};
    batch.pages.push_back(page.is_known && previous != nullptr ? previous->walk().summary(page.head.id)
                                                               : make_page_records(std::move(page)));
  }
  for (const auto& remark : read.remarks) batch.issues.add(remark);
  return batch;
}

/// The same for the pass that collects included pages.
IncludedBatch read_included(const PageSource& source, const RawBatch& raw) {
  IncludedBatch batch;
  batch.end_offset = raw.end_offset;
  for (const auto& page : source.included_pages(raw)) {
    put_included_page(batch.records, page);
    batch.texts += page.text ? 1 : 0;
  }
  return batch;
}

/// Calls `use` with the number of each file that is not at its end yet.
/// \param first  of them
void each_file(const IngestWork& work, FileRange files, std::size_t first,
               const std::function<void(std::size_t)>& use) {
  std::uint64_t before = 0, total = 0;
  for (std::size_t file = files.first; file < files.end; ++file) total += work.files.bytes(file);
  work.progress.total = total;
  for (std::size_t file = files.first; file < files.end; ++file) {
    work.progress.done = before;
    if (file >= first) use(file);
    before += work.files.bytes(file);
  }
  work.progress.done = before;
}

/// Where reading of a file goes on.
struct ReadUpTo {
  std::uint64_t offset = 0;
  PageId page;  ///< the last one in front of it; 0: not known
};

/// Runs the batches of a source through `parse`, in parallel, and `write` gets what comes out in the order of the
/// source. On a stop, `keep` makes durable what was written, and Interrupted is thrown.
template <class Parsed, class Parse, class Write, class Keep>
void stream(const IngestWork& work, PageSource& source, ReadUpTo begin, const Parse& parse, const Write& write,
            const Keep& keep) {
  source.skip_to(begin.offset, begin.page);
  bool stopped = false;
  const auto before = work.progress.done.load();
  const auto cut = [&](tbb::flow_control& control) {
    stopped = work.stop.requested();
    std::optional<RawBatch> batch;
    try {
      if (!stopped) batch = source.next();
    } catch (const Interrupted&) {  // while it waited for bytes; what came before is kept below
      stopped = true;
    }
    work.progress.done = before + source.raw_offset();
    if (!batch) {
      control.stop();
      return RawBatch{};
    }
    return std::move(*batch);
  };
  tbb::task_arena arena(work.threads);
  arena.execute([&] {
    tbb::parallel_pipeline(
        static_cast<std::size_t>(work.options.slots),
        tbb::make_filter<void, RawBatch>(tbb::filter_mode::serial_in_order, cut) &
            tbb::make_filter<RawBatch, Parsed>(tbb::filter_mode::parallel,
                                               [&](RawBatch raw) { return parse(source, std::move(raw)); }) &
            tbb::make_filter<Parsed, void>(tbb::filter_mode::serial_in_order,
                                           [&](Parsed batch) { write(std::move(batch)); }));
  });
  if (!stopped) return;
  keep();
  work.stop.check();
}

/// What the first file says of the site counts. Files of different sites in one store would mix their page numbers.
/// Returns whether this file says the same.
bool keep_site(const IngestWork& work, PageSource& source, PageRunWriter& runs) {
  auto site = source.site_info();
  if (!site) site = work.files.fallback_site(source.language());
  if (site->site_name.empty()) site->site_name = source.title();
  site->add_license(source.license());
  for (const auto& warning : source.warnings()) log_line(LogLevel::kWarn, "ingest: " + warning);
  if (runs.read().files.empty()) {
    runs.set_site(site->to_json());
    return true;
  }
  auto first = SiteInfo::from_json(runs.read().site);
  if (first.db_name != site->db_name) throw_other_site(source.name(), site->db_name, first.db_name);
  const auto license = first.license;
  first.add_license(site->license);
  runs.set_site(first.to_json());
  first.license = license;
  first.generator = site->generator;
  return first.to_json() == site->to_json();
}

void say_where(std::size_t file, std::uint64_t offset) {
  if (file > 0 || offset > 0) log_info("ingest: going on in file {} at byte {} of its text", file + 1, offset);
}

}  // namespace

void throw_other_site(const std::string& file, const std::string& site, const std::string& first_site) {
  throw FormatError(
      fmt::format("{} is a dump of \"{}\", but the first dump is of \"{}\"; give each wiki a work directory of its own",
                  file, site, first_site));
}

void note_site(const PageFiles& files, storage::Store& store) {
  const StoredPages none_yet(store);
  const auto site = files.open(0, PageId{0}, none_yet)->site_info();
  if (!site) return;
  storage::Batch batch;
  batch.put(Family::kMeta, storage::kMetaSite, site->to_json());
  store.write(batch, storage::Durability::kMachine);
}

void collect_included_pages(const IngestWork& work, storage::Store& store) {
  if (!work.files.read_twice()) return;
  auto so_far = included_so_far(store);
  say_where(so_far.file, so_far.offset);
  const auto write = [&](storage::Batch batch) {
    batch.put(Family::kMeta, storage::kMetaIncludedProgress, so_far.encode());
    store.write(batch, storage::Durability::kGroup);
  };
  each_file(work, {0, work.files.count()}, so_far.file, [&](std::size_t file) {
    const StoredPages none_yet(store);
    const auto source = work.files.open(file, PageId{0}, none_yet);
    stream<IncludedBatch>(
        work, *source, ReadUpTo{so_far.offset, PageId{0}}, read_included,
        [&](IncludedBatch batch) {
          so_far.offset = batch.end_offset;
          so_far.texts += batch.texts;
          write(std::move(batch.records));
          kill_point("ingest.templates");
        },
        [&] { store.checkpoint(); });
    ++so_far.file;
    so_far.offset = 0;
    write({});
  });
  store.checkpoint();
}

void read_pages(const IngestWork& work, FileRange files, const storage::Store& store, const flow::PartWriter& parts) {
  PageRunWriter runs(parts, work.run_bytes);
  const auto& so_far = runs.read();
  say_where(so_far.files.size(), so_far.offset);
  const StoredPages included(store);
  std::optional<PreviousPages> previous;
  each_file(work, files, files.first + so_far.files.size(), [&](std::size_t file) {
    const auto source = work.files.open(file, PageId{so_far.before_file}, included);
    const bool first_site = keep_site(work, *source, runs);
    if (!work.previous.work.empty() && first_site) {
      if (!previous) {
        previous.emplace(work.previous.work, reader_text(work.options, work.language, work.files, so_far.site),
                         included);
        runs.take_over(previous->digest(), [&](PageId id) { return previous->walk().records(id); });
      }
      source->use(*previous);
    }
    stream<PageBatch>(
        work, *source, ReadUpTo{so_far.offset, PageId{so_far.last_page}},
        [&](const PageSource& from, RawBatch raw) {
          return read_batch(from, previous ? &*previous : nullptr, first_site, std::move(raw));
        },
        [&](PageBatch batch) {
          work.progress.records += batch.pages.size();
          runs.write(std::move(batch));
        },
        [&] { runs.finish_run(); });
    runs.end_file({source->raw_offset(), source->raw_sha256()});
  });
  runs.finish_run();
}

}  // namespace touchstone::pipeline::corpus
