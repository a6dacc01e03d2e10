#include "pipeline/corpus/page_runs.hpp"

#include "common/error.hpp"
#include "common/stop.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {

using records::RecordFile;
using storage::Family;

namespace {

/// Adds what rendering a page met. Both copies of a page count that was read twice, for this is about work.
void count_rendering(const PageRecords& page, std::map<std::string, std::uint64_t>& counts) {
  counts["templates rendered"] += page.counters.templates_rendered;
  counts["templates dropped"] += page.counters.templates_dropped;
  // Most wikis have none of the following.
  const auto add = [&](const char* name, std::uint64_t count) {
    if (count > 0) counts[name] += count;
  };
  add("pages taken over from the previous dump", page.is_taken_over ? 1 : 0);
  add("templates that show nothing", page.counters.templates_silent);
  add("calls with an error", page.counters.call_errors);
  add("table cells left out", page.counters.cells_left_out);
  for (std::size_t i = 0; i < page.counters.unknown.size(); ++i) {
    if (const auto count = page.counters.unknown[i]; count > 0)
      counts[fmt::format("unknown values ({})", extractors::kUnknownCauses[i])] += count;
  }
}

}  // namespace

void count_page(const PageRecords& page, std::int64_t sign, std::map<std::string, std::uint64_t>& counts) {
  const auto add = [&](const char* name, std::uint64_t count) {
    counts[name] += static_cast<std::uint64_t>(sign) * count;  // modulo 2^64, so that a subtraction is exact
  };
  add("pages", 1);
  if (page.page.title.ns == kNamespaceMain) add("articles namespace", 1);
  if (page.page.is_redirect) add("redirects", 1);
  if (page.page.is_disambiguation) add("disambiguation pages", 1);
  add("text bytes", page.page.text_bytes);
  add("paragraphs", page.paragraphs);
  add("tables", page.tables);
  add("links", page.links);
}

std::string run_table_name(std::size_t run, Family family) {
  return fmt::format("{:05}.{}", run, to_string(family));
}

std::string late_pages_name(std::size_t run) {
  return fmt::format("{:05}.late_pages", run);
}

std::string run_name(std::size_t run) {
  return fmt::format("{:05}.run", run);
}

PageRunWriter::PageRunWriter(const flow::PartWriter& parts, std::uint64_t run_bytes)
    : parts_(parts), run_bytes_(run_bytes) {
  while (std::filesystem::exists(parts.path(run_name(number_)))) ++number_;
  if (number_ > 0) run_.read = RecordFile<PageRun>::read(parts.path(run_name(number_ - 1))).at(0).read;
}

void PageRunWriter::write(PageBatch&& batch) {
  for (const auto& page : batch.pages) {
    count_rendering(page, run_.read.counts);
    add(page);
  }
  run_.read.issues.add(batch.issues);
  run_.read.offset = batch.end_offset;
  run_.read.last_page = batch.last_page.value;
  changed_ = true;
  if (bytes_ >= run_bytes_) finish_run();
  kill_point("ingest.batch");
}

void PageRunWriter::add(const PageRecords& page) {
  for (const auto& entry : page.entries) bytes_ += entry.key.size() + entry.value.size();
  auto& lowest = run_.read.lowest_page;
  if (lowest == 0 || page.id.value < lowest) lowest = page.id.value;
  if (page.id.value <= run_.read.highest_page) {
    if (!late_pages_) late_pages_.emplace(parts_.path(late_pages_name(number_)));
    late_pages_->add(page.is_taken_over ? recall_(page.id) : page);
    return;
  }
  run_.read.highest_page = page.id.value;
  run_.read.newest_timestamp = std::max(run_.read.newest_timestamp, page.page.timestamp);
  count_page(page, 1, run_.read.counts);
  if (page.is_taken_over) {
    run_.kept.push_back(page.id.value);
    bytes_ += page.page.text_bytes;
  }
  for (const auto& entry : page.entries) {
    auto at = tables_.find(entry.family);
    if (at == tables_.end())
      at = tables_.emplace(entry.family, storage::TableWriter(partial_table(entry.family), entry.family)).first;
    at->second.add(entry.key, entry.value);
  }
}

void PageRunWriter::take_over(const Digest128& digest, Recall recall) {
  run_.previous = digest;
  recall_ = std::move(recall);
}

void PageRunWriter::end_file(ReadSoFar::File file) {
  run_.read.files.push_back(std::move(file));
  run_.read.offset = 0;
  run_.read.last_page = 0;
  run_.read.before_file = run_.read.highest_page;
  changed_ = true;
}

std::filesystem::path PageRunWriter::partial_table(Family family) const {
  return parts_.path(run_table_name(number_, family) + ".partial");
}

void PageRunWriter::finish_run() {
  if (!changed_) return;
  run_.tables.reset();
  for (auto& [family, table] : tables_) {
    table.finish();
    run_.tables.set(static_cast<std::size_t>(family));
    const auto name = parts_.path(run_table_name(number_, family));
    std::error_code error;
    std::filesystem::rename(table.path(), name, error);
    if (error) throw StorageError(failure_text("write", name, error));
  }
  tables_.clear();
  run_.has_late_pages = late_pages_.has_value();
  if (late_pages_) late_pages_->finish();
  late_pages_.reset();
  RecordFile<PageRun>::write(parts_.path(run_name(number_)), {run_});
  ++number_;
  run_.kept.clear();
  bytes_ = 0;
  changed_ = false;
  kill_point("ingest.run");
}

}  // namespace touchstone::pipeline::corpus
