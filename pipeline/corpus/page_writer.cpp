#include "pipeline/corpus/page_writer.hpp"

#include "common/stop.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {

using extractors::PageIssue;
using storage::Durability;
using storage::Family;

namespace {

/// Adds what a page holds to the counts, or takes it back when a newer revision replaces the page.
/// \param sign  1 or -1
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

/// Adds what rendering a page met. Both copies of a page count that was read twice, for this is about work.
void count_rendering(const PageRecords& page, std::map<std::string, std::uint64_t>& counts) {
  counts["templates rendered"] += page.counters.templates_rendered;
  counts["templates dropped"] += page.counters.templates_dropped;
  // Most wikis have none of the following.
  const auto add = [&](const std::string& name, std::uint64_t count) {
    if (count > 0) counts[name] += count;
  };
  add("templates that show nothing", page.counters.templates_silent);
  add("calls with an error", page.counters.call_errors);
  add("table cells left out", page.counters.cells_left_out);
  for (std::size_t i = 0; i < page.counters.unknown.size(); ++i)
    add(fmt::format("unknown values ({})", extractors::kUnknownCauses[i]), page.counters.unknown[i]);
}

}  // namespace

void PageWriter::write(PageBatch&& parsed) {
  storage::Batch batch;
  std::map<PageId, PageRecords> here;  // pages of this very batch, without the bytes that are written
  for (auto& page : parsed.pages) {
    count_rendering(page, progress_.counts);
    if (page.id.value <= progress_.highest_page && !replace(batch, page, here)) {
      parsed.issues.add(
          {PageIssue::kOlderCopy, fmt::format("page {} \"{}\"", page.id.value, page.page.title.text), ""});
      continue;
    }
    progress_.highest_page = std::max(progress_.highest_page, page.id.value);
    progress_.newest_timestamp = std::max(progress_.newest_timestamp, page.page.timestamp);
    count_page(page, 1, progress_.counts);
    batch.append(std::move(page.batch));
    page.batch = {};
    here.insert_or_assign(page.id, std::move(page));
  }
  progress_.issues.add(parsed.issues);
  progress_.offset = parsed.end_offset;
  commit(batch);
  kill_point("ingest.batch");
}

/// The copy of a page that was written before, with what is counted of it.
std::optional<PageRecords> PageWriter::kept(PageId id, const std::map<PageId, PageRecords>& here) const {
  PageRecords old;
  if (const auto found = here.find(id); found != here.end()) {
    old.page = found->second.page;
    old.links = found->second.links;
    old.paragraphs = found->second.paragraphs;
    old.tables = found->second.tables;
    return old;
  }
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

/// Prepares the place of a page whose number came before. False when the copy that is there is newer.
bool PageWriter::replace(storage::Batch& batch, const PageRecords& page, const std::map<PageId, PageRecords>& here) {
  const auto old = kept(page.id, here);
  if (!old) return true;
  if (old->page.revision > page.page.revision) return false;
  erase_page(batch, page.id, old->page);
  count_page(*old, -1, progress_.counts);
  ++progress_.counts["replaced by a newer revision"];
  return true;
}

void PageWriter::write(IncludedBatch&& batch) {
  progress_.offset = batch.end_offset;
  progress_.counts["template pages"] += batch.texts;
  commit(batch.records);
  kill_point("ingest.templates");
}

void PageWriter::next_file() {
  ++progress_.file;
  progress_.offset = 0;
  progress_.before_file = progress_.highest_page;
  storage::Batch batch;
  commit(batch);
}

void PageWriter::included_done() {
  progress_.included_done = true;
  progress_.file = 0;
  progress_.offset = 0;
  storage::Batch batch;
  commit(batch);
}

void PageWriter::commit(storage::Batch& batch) {
  batch.put(Family::kMeta, storage::kMetaIngestProgress, progress_.encode());
  store_.write(batch, Durability::kGroup);
}

}  // namespace touchstone::pipeline::corpus
