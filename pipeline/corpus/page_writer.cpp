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

void PageWriter::write(PageBatch&& parsed) {
  storage::Batch batch;
  std::map<PageId, storage::PageRecord> here;  // pages of this very batch
  for (auto& page : parsed.pages) {
    if (page.id.value <= progress_.highest_page && !replace(batch, page, here)) {
      parsed.issues.add(
          {PageIssue::kOlderCopy, fmt::format("page {} \"{}\"", page.id.value, page.page.title.text), ""});
      continue;
    }
    progress_.highest_page = std::max(progress_.highest_page, page.id.value);
    progress_.newest_timestamp = std::max(progress_.newest_timestamp, page.page.timestamp);
    batch.append(std::move(page.batch));
    here.insert_or_assign(page.id, std::move(page.page));
  }
  for (const auto& [name, count] : parsed.counts) progress_.counts[name] += count;
  progress_.issues.add(parsed.issues);
  progress_.offset = parsed.end_offset;
  commit(batch);
  kill_point("ingest.batch");
}

/// Prepares the place of a page whose number came before. False when the copy that is there is newer.
bool PageWriter::replace(storage::Batch& batch, const PageRecords& page,
                         const std::map<PageId, storage::PageRecord>& here) {
  std::optional<storage::PageRecord> old;
  if (const auto found = here.find(page.id); found != here.end()) {
    old = found->second;
  } else if (std::string bytes; store_.get(Family::kPage, storage::page_key(page.id), bytes)) {
    old = storage::decode_page(bytes);
  }
  if (!old) return true;
  if (old->revision > page.page.revision) return false;
  erase_page(batch, page.id, *old);
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
