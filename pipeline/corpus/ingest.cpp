#include "pipeline/corpus/ingest.hpp"

#include "common/error.hpp"
#include "common/log.hpp"
#include "extractors/page_source.hpp"
#include "pipeline/corpus/included_pages.hpp"
#include "pipeline/corpus/ingest_progress.hpp"
#include "pipeline/corpus/page_records.hpp"
#include "pipeline/corpus/page_writer.hpp"
#include "pipeline/flow/source_records.hpp"
#include "storage/meta_keys.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::PageIssue;
using extractors::PageSource;
using extractors::RawBatch;
using extractors::site::SiteInfo;
using flow::SourceRecord;
using flow::StageReport;
using storage::Durability;
using storage::Family;

std::string meta(const storage::Store& store, std::string_view key) {
  std::string value;
  store.get(Family::kMeta, key, value);
  return value;
}

void put_meta(storage::Store& store, std::string_view key, std::string_view value) {
  storage::Batch batch;
  batch.put(Family::kMeta, key, value);
  store.write(batch, Durability::kGroup);
}

/// From bytes to records: the parallel part of reading pages. Thread-safe.
PageBatch read_pages(const PageSource& source, RawBatch raw) {
  PageBatch batch;
  batch.end_offset = raw.end_offset;
  auto read = source.read(std::move(raw));
  batch.pages.reserve(read.pages.size());
  for (const auto& page : read.pages) {
    batch.pages.push_back(make_page_records(page));
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

class Ingest {
 public:
  Ingest(const PageFiles& files, const IngestLimits& limits, storage::Store& store, const StopFlag& stop,
         ProgressCounters& progress)
      : files_(files),
        limits_(limits),
        store_(store),
        stop_(stop),
        counters_(progress),
        writer_(store, IngestProgress::decode(meta(store, storage::kMetaIngestProgress))) {}

  StageReport run() {
    const auto& progress = writer_.progress();
    if (progress.offset > 0 || progress.file > 0)
      log_info("ingest: going on in file {} at byte {} of its text", progress.file + 1, progress.offset);
    for (std::size_t i = 0; i < files_.count(); ++i) counters_.total += files_.bytes(i);
    if (files_.read_twice() && !progress.included_done) {
      each_file([&](std::size_t file) { collect_included(file); });
      writer_.included_done();
    }
    each_file([&](std::size_t file) { read_file(file); });
    return finish();
  }

 private:
  /// Calls `use` for the files that are not at their end yet.
  template <class Use>
  void each_file(const Use& use) {
    bytes_before_ = 0;
    for (std::size_t file = 0; file < files_.count(); ++file) {
      if (file >= writer_.progress().file) {
        use(file);
        writer_.next_file();
      }
      bytes_before_ += files_.bytes(file);
      counters_.done = bytes_before_;
    }
  }

  std::unique_ptr<PageSource> open(std::size_t file, const StoredPages& included) const {
    return files_.open(file, PageId{writer_.progress().before_file}, included);
  }

  void collect_included(std::size_t file) {
    const StoredPages none_yet(store_);
    const auto source = open(file, none_yet);
    stream<IncludedBatch>(*source, read_included, [](const IncludedBatch&) {});
  }

  void read_file(std::size_t file) {
    const StoredPages included(store_);
    const auto source = open(file, included);
    keep_site(file, *source);
    stream<PageBatch>(*source, read_pages, [&](const PageBatch& batch) { counters_.records += batch.pages.size(); });
    auto records = flow::decode_sources(meta(store_, storage::kMetaSources));
    if (file < records.size()) {
      records[file].sha256 = source->raw_sha256();
      if (records[file].bytes == 0) records[file].bytes = source->raw_offset();
    }
    put_meta(store_, storage::kMetaSources, flow::encode_sources(records));
  }

  /// Runs the batches of a source through `parse`, in parallel, and writes what comes out in the order of the source.
  /// On a stop, what was written is made durable and Interrupted is thrown.
  template <class Parsed, class Parse, class Watch>
  void stream(PageSource& source, const Parse& parse, const Watch& watch) {
    source.skip_to(writer_.progress().offset);
    bool stopped = false;
    const auto cut = [&](tbb::flow_control& control) {
      stopped = stop_.requested();
      std::optional<RawBatch> batch;
      try {
        if (!stopped) batch = source.next();
      } catch (const Interrupted&) {  // while it waited for bytes; what came before is kept below
        stopped = true;
      }
      counters_.done = bytes_before_ + source.raw_offset();
      if (!batch) {
        control.stop();
        return RawBatch{};
      }
      return std::move(*batch);
    };
    const auto write = [&](Parsed batch) {
      watch(batch);
      writer_.write(std::move(batch));
    };
    tbb::task_arena arena(limits_.threads);
    arena.execute([&] {
      tbb::parallel_pipeline(
          limits_.slots,
          tbb::make_filter<void, RawBatch>(tbb::filter_mode::serial_in_order, cut) &
              tbb::make_filter<RawBatch, Parsed>(tbb::filter_mode::parallel,
                                                 [&](RawBatch raw) { return parse(source, std::move(raw)); }) &
              tbb::make_filter<Parsed, void>(tbb::filter_mode::serial_in_order, write));
    });
    if (!stopped) return;
    store_.checkpoint();
    stop_.check();
  }

  /// What the first file says of the site counts. Files of different sites in one store would mix their page numbers.
  void keep_site(std::size_t file, PageSource& source) {
    auto site = source.site_info();
    if (!site) site = files_.fallback_site();
    for (const auto& warning : source.warnings()) log_line(LogLevel::kWarn, "ingest: " + warning);
    const auto saved = meta(store_, storage::kMetaSite);
    if (saved.empty() || file == 0) {
      put_meta(store_, storage::kMetaSite, site->to_json());
      return;
    }
    const auto first = SiteInfo::from_json(saved);
    if (first.db_name != site->db_name) {
      throw FormatError(fmt::format(
          "{} is a dump of \"{}\", but the first dump is of \"{}\"; give each wiki a work directory of its own",
          source.name(), site->db_name, first.db_name));
    }
  }

  StageReport finish() {
    const auto& progress = writer_.progress();
    StageReport report;
    report.counts = progress.counts;
    progress.issues.report_to(report);
    report.warnings = warnings();
    const auto unusable = progress.issues.count(RejectSeverity::kLeftOut);
    const auto pages = report.counts.contains("pages") ? report.counts.at("pages") : 0;
    if (pages + unusable == 0) throw FormatError(fmt::format("the {} holds no pages; is it complete?", files_.noun()));
    const double ratio = static_cast<double>(unusable) / static_cast<double>(pages + unusable);
    if (unusable > 1 && ratio > limits_.max_reject_ratio) {
      throw FormatError(fmt::format("{} of {} pages could not be used ({}): {}, or raise ingest.max_reject_ratio",
                                    unusable, pages + unusable, report.warnings.front(), files_.remedy()));
    }
    put_meta(store_, storage::kMetaNewestTimestamp, progress.newest_timestamp);
    return report;
  }

  /// Which pages are not in the store, and which may be damaged, a sentence each, by the text of the issue.
  std::vector<std::string> warnings() const {
    std::map<std::string, std::string> by_text;
    for (const auto& [key, entry] : writer_.progress().issues.entries()) {
      const auto& [issue, detail] = key;
      const std::string text = std::string(describe(issue).text) + detail;
      const auto& first = entry.samples.front();
      if (issue == PageIssue::kChecksumMismatch) {
        const auto what =
            fmt::format("{} pages have a text that does not match the SHA-1 beside it (first: {})", entry.count, first);
        if (!limits_.accept_wrong_checksums) {
          throw FormatError(what +
                            ": the dump is damaged, download it again; or accept it with --set ingest.checksum=warn");
        }
        by_text[text] = what + "; the dump may be damaged";
      } else if (issue == PageIssue::kUnescapedMarkup) {
        by_text[text] =
            fmt::format("{} pages have tags in their text that are not escaped; they were read as written (first: {})",
                        entry.count, first);
      } else if (describe(issue).severity == RejectSeverity::kLeftOut) {
        by_text[text] = fmt::format("{} pages left out: {} (first: {})", entry.count, text, first);
      }
    }
    std::vector<std::string> sentences;
    for (auto& [text, sentence] : by_text) sentences.push_back(std::move(sentence));
    return sentences;
  }

  const PageFiles& files_;
  const IngestLimits& limits_;
  storage::Store& store_;
  const StopFlag& stop_;
  ProgressCounters& counters_;
  PageWriter writer_;
  std::uint64_t bytes_before_ = 0;  ///< of the files before the one being read
};

}  // namespace

StageReport ingest(const PageFiles& files, const IngestLimits& limits, storage::Store& store, const StopFlag& stop,
                   ProgressCounters& progress) {
  return Ingest(files, limits, store, stop, progress).run();
}

}  // namespace touchstone::pipeline::corpus
