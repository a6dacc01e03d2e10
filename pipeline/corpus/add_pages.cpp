#include "common/error.hpp"
#include "extractors/site/site_info.hpp"
#include "pipeline/corpus/included_pages.hpp"
#include "pipeline/corpus/ingest.hpp"
#include "pipeline/corpus/page_runs.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/flow/source_records.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::PageIssue;
using flow::StageReport;
using storage::Durability;
using storage::Family;

constexpr Family kFilled[] = {Family::kPage,  Family::kTitle, Family::kOutline,   Family::kParagraph,
                              Family::kTable, Family::kLink,  Family::kAttribute, Family::kReading};
constexpr std::size_t kPagesPerBatch = 4096;

class PageMerge {
 public:
  PageMerge(const IngestWork& work, const std::vector<FileRange>& cuts, const flow::Parts& parts, storage::Store& store)
      : work_(work), cuts_(cuts), parts_(parts), store_(store) {}

  StageReport run() {
    std::vector<std::filesystem::path> late_files;
    storage::BulkLoader loader(store_);
    for (std::size_t cut = 0; cut < parts_.cuts(); ++cut) {
      ReadSoFar of_cut;
      for (std::size_t run = 0; std::filesystem::exists(parts_.path(cut, run_name(run))); ++run) {
        auto record = records::RecordFile<PageRun>::read(parts_.path(cut, run_name(run))).at(0);
        for (const Family family : kFilled) {
          if (record.tables[static_cast<std::size_t>(family)])
            loader.add_table(family, parts_.path(cut, run_table_name(run, family)));
        }
        if (!record.kept.empty()) note_kept(record);
        if (record.has_late_pages) late_files.push_back(parts_.path(cut, late_pages_name(run)));
        of_cut = std::move(record.read);
      }
      add_cut(cut, std::move(of_cut));
    }
    if (previous_)
      take_over();
    else
      store_.clear(kFilled);  // of a merge that was killed
    loader.commit();
    add_titles();
    for (const auto& file : late_files) {
      records::RecordFile<PageRecords>::for_each(file, [&](PageRecords page) { add_late_page(std::move(page)); });
    }
    kill_point("ingest.merged");
    return finish();
  }

 private:
  /// Adds what was met in a cut. Throws FormatError if its files are of another site than those before.
  void add_cut(std::size_t cut, ReadSoFar more) {
    using extractors::site::SiteInfo;
    if (cut == 0) {
      read_ = std::move(more);
      return;
    }
    auto first = SiteInfo::from_json(read_.site);
    const auto other = SiteInfo::from_json(more.site);
    if (first.db_name != other.db_name)
      throw_other_site(work_.files.name(cuts_[cut].first), other.db_name, first.db_name);
    first.add_license(other.license);
    read_.site = first.to_json();
    read_.files.insert(read_.files.end(), more.files.begin(), more.files.end());
    read_.newest_timestamp = std::max(read_.newest_timestamp, more.newest_timestamp);
    for (const auto& [name, count] : more.counts) read_.counts[name] += count;
    read_.issues.add(more.issues);
  }

  bool is_kept(PageId id) const { return id.value < kept_.size() && kept_[id.value]; }

  /// Notes which pages are taken over. Throws ConfigError if they are those of another store than the previous one.
  void note_kept(const PageRun& run) {
    const auto& work = work_.previous.work;
    if (!previous_ && !work.empty()) previous_ = open_previous(work);
    if (!previous_ || PreviousPages::digest_of(*previous_) != run.previous)
      throw ConfigError(
          fmt::format("--previous {}: a run that was stopped has taken pages over from another work directory; name "
                      "that one, or start in an empty --work",
                      work.empty() ? "is not given" : work));
    for (const auto page : run.kept) {
      if (page >= kept_.size()) kept_.resize(std::max<std::size_t>(std::size_t{page} + 1, 2 * kept_.size()));
      kept_[page] = true;
    }
  }

  /// Fills the store with what the previous one holds of pages, but for those that are not taken over.
  void take_over() {
    store_.take_over(*previous_, kFilled);
    PreviousPages::Walk walk(*previous_);
    storage::Batch batch;
    std::size_t pages = 0;
    for (auto cursor = previous_->cursor(Family::kPage); cursor.valid(); cursor.next()) {
      const auto id = storage::read_page_key(cursor.key());
      if (is_kept(id.value())) continue;
      for (const auto& entry : walk.entries(*id)) batch.erase(entry.family, entry.key);
      batch.erase(Family::kTitle, title_entry(storage::decode_page(cursor.value()).title, *id).key);
      if (++pages % kPagesPerBatch == 0) write(batch);
    }
    write(batch);
  }

  void write(storage::Batch& batch) {
    store_.write(batch, Durability::kGroup);
    work_.stop.check();
  }

  /// Of two pages with one title it leads to the one with the higher number.
  void add_titles() {
    storage::Batch batch;
    std::size_t pages = 0, titles = 0;
    for (auto cursor = store_.cursor(Family::kPage); cursor.valid(); cursor.next()) {
      ++pages;
      const auto id = storage::read_page_key(cursor.key());
      if (is_kept(*id)) continue;
      put(batch, title_entry(storage::decode_page(cursor.value()).title, *id));
      if (pages % kPagesPerBatch == 0) write(batch);
    }
    write(batch);
    if (kept_.empty()) return;
    for (auto cursor = store_.cursor(Family::kTitle); cursor.valid(); cursor.next()) ++titles;
    if (titles == pages) return;
    // Several pages have one title: which one it leads to, all of them decide.
    constexpr Family kTitles[] = {Family::kTitle};
    store_.clear(kTitles);
    kept_.clear();
    add_titles();
  }

  static void put(storage::Batch& batch, const storage::Entry& entry) {
    batch.put(entry.family, entry.key, entry.value);
  }

  /// Adds a page whose number is not higher than all before it, so that an older or newer copy may be there.
  void add_late_page(PageRecords page) {
    page.page = storage::decode_page(page.entries.back().value);
    storage::Batch batch;
    if (const auto old = copy_of(page.id)) {
      if (old->page.revision > page.page.revision) {
        read_.issues.add(
            {PageIssue::kOlderCopy, fmt::format("page {} \"{}\"", page.id.value, page.page.title.text), ""});
        return;
      }
      erase_page(batch, page.id, old->page);
      count_page(*old, -1, read_.counts);
      ++read_.counts["replaced by a newer revision"];
    }
    read_.newest_timestamp = std::max(read_.newest_timestamp, page.page.timestamp);
    count_page(page, 1, read_.counts);
    for (const auto& entry : page.entries) put(batch, entry);
    put(batch, title_entry(page.page.title, page.id));
    store_.write(batch, Durability::kGroup);
  }

  /// What is counted of the copy of a page that is in the store.
  std::optional<PageRecords> copy_of(PageId id) const {
    PageRecords old;
    std::string bytes;
    if (!store_.get(Family::kPage, storage::page_key(id), bytes)) return std::nullopt;
    old.page = storage::decode_page(bytes);
    if (store_.get(Family::kOutline, storage::page_key(id), bytes)) {
      const auto outline = storage::decode_outline(bytes);
      for (const auto& section : outline.sections) old.paragraphs += section.paragraph_count;
      old.tables = outline.table_count;
    }
    if (store_.get(Family::kLink, storage::page_key(id), bytes)) old.links = storage::decode_links(bytes).places.size();
    return old;
  }

  StageReport finish() {
    StageReport report;
    if (work_.files.read_twice()) read_.counts["template pages"] = included_so_far(store_).texts;
    report.counts = read_.counts;
    read_.issues.report_to(report);
    report.warnings = warnings();
    const auto unusable = read_.issues.count(RejectSeverity::kLeftOut);
    const auto pages = report.counts.contains("pages") ? report.counts.at("pages") : 0;
    const auto& files = work_.files;
    const auto not_meant = read_.issues.count(RejectSeverity::kNotMeant);
    if (pages + unusable + not_meant == 0)
      throw FormatError(fmt::format("the {} holds no pages; is it complete?", files.noun()));
    const double ratio = static_cast<double>(unusable) / static_cast<double>(pages + unusable);
    if (pages == 0) {
      throw FormatError(fmt::format("no page of the {} could be used ({}): {}", files.noun(),
                                    fmt::join(report.warnings, "; "), files.remedy()));
    }
    if (unusable > 1 && ratio > work_.options.max_reject_ratio) {
      throw FormatError(fmt::format("{} of {} pages could not be used ({}): {}, or raise ingest.max_reject_ratio",
                                    unusable, pages + unusable, report.warnings.front(), files.remedy()));
    }
    write_meta();
    return report;
  }

  void write_meta() {
    std::string bytes;
    store_.get(Family::kMeta, storage::kMetaSources, bytes);
    auto sources = flow::decode_sources(bytes);
    for (std::size_t i = 0; i < std::min(sources.size(), read_.files.size()); ++i) {
      sources[i].sha256 = read_.files[i].sha256;
      if (sources[i].bytes == 0) sources[i].bytes = read_.files[i].bytes;
    }
    storage::Batch batch;
    batch.put(Family::kMeta, storage::kMetaSources, flow::encode_sources(sources));
    batch.put(Family::kMeta, storage::kMetaSite, read_.site);
    batch.put(Family::kMeta, storage::kMetaNewestTimestamp, read_.newest_timestamp);
    batch.put(Family::kMeta, storage::kMetaReader, reader_text(work_.options, work_.language, work_.files, read_.site));
    if (!work_.previous.work.empty())
      batch.put(Family::kMeta, storage::kMetaPrevious, previous_dumps(work_.previous.work));
    store_.write(batch, Durability::kGroup);
  }

  /// Which pages are not in the store, and which may be damaged, a sentence each, by the text of the issue.
  std::vector<std::string> warnings() const {
    std::map<std::string, std::string> by_text;
    for (const auto& [key, entry] : read_.issues.entries()) {
      const auto& [issue, detail] = key;
      const std::string text = std::string(describe(issue).text) + detail;
      const auto& first = entry.samples.front();
      if (issue == PageIssue::kChecksumMismatch) {
        const auto what =
            fmt::format("{} pages have a text that does not match the SHA-1 beside it (first: {})", entry.count, first);
        if (work_.options.checksum == ChecksumPolicy::kFail) {
          throw FormatError(what +
                            ": the dump is damaged, download it again; or accept it with --set ingest.checksum=warn");
        }
        by_text[text] = what + "; the dump may be damaged";
      } else if (issue == PageIssue::kUnescapedMarkup) {
        by_text[text] =
            fmt::format("{} pages have tags in their text that are not escaped; they were read as written (first: {})",
                        entry.count, first);
      } else if (issue == PageIssue::kOtherFormat) {
        by_text[text] = fmt::format("{} files were not read, because of their format (first: {})", entry.count, first);
      } else if (const auto severity = describe(issue).severity;
                 severity == RejectSeverity::kLeftOut || severity == RejectSeverity::kNotMeant) {
        by_text[text] = fmt::format("{} pages left out: {} (first: {})", entry.count, text, first);
      }
    }
    std::vector<std::string> sentences;
    for (auto& [text, sentence] : by_text) sentences.push_back(std::move(sentence));
    return sentences;
  }

  const IngestWork& work_;
  const std::vector<FileRange>& cuts_;
  const flow::Parts& parts_;
  storage::Store& store_;
  std::unique_ptr<storage::Store> previous_;  ///< if pages are taken over from it
  std::vector<bool> kept_;                    ///< by page: is taken over
  ReadSoFar read_;
};

}  // namespace

StageReport add_pages(const IngestWork& work, const std::vector<FileRange>& cuts, const flow::Parts& parts,
                      storage::Store& store) {
  return PageMerge(work, cuts, parts, store).run();
}

bool have_overlapping_pages(const std::vector<FileRange>& cuts, const flow::Parts& parts) {
  std::map<std::uint32_t, std::uint32_t> ranges;  // lowest page -> highest page
  for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
    std::size_t runs = 0;
    while (std::filesystem::exists(parts.path(cut, run_name(runs)))) ++runs;
    if (runs == 0) continue;
    const auto read = records::RecordFile<PageRun>::read(parts.path(cut, run_name(runs - 1))).at(0).read;
    if (read.lowest_page == 0) continue;
    const auto next = ranges.lower_bound(read.lowest_page);
    if (next != ranges.end() && next->first <= read.highest_page) return true;
    if (next != ranges.begin() && std::prev(next)->second >= read.lowest_page) return true;
    ranges[read.lowest_page] = read.highest_page;
  }
  return false;
}

}  // namespace touchstone::pipeline::corpus
