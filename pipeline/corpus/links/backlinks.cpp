#include "pipeline/corpus/links/backlinks.hpp"

#include "storage/keys.hpp"
#include "storage/records.hpp"

namespace touchstone::pipeline::corpus::links {

using storage::Family;

void write_backlinks(records::Sorter<Backlink>& backlinks, bool by_table, storage::BulkLoader& loader,
                     flow::StageReport& report) {
  storage::BacklinkRecord record;
  std::uint32_t target = 0;
  std::uint64_t places = 0, bytes = 0, only_in_text = 0, only_in_table = 0;
  bool in_table = false;
  const auto end_source = [&] {
    if (record.sources.empty() || !by_table) return;
    auto& at = record.sources.back().places;
    if (!in_table) {
      ++only_in_text;
      places -= at.size();
      record.sources.pop_back();
    } else if (at.empty()) {
      ++only_in_table;
      ++places;
      at.push_back(0);
    }
  };
  const auto flush = [&] {
    end_source();
    if (record.sources.empty()) return;
    const auto value = encode(record);
    bytes += value.size();
    loader.add(Family::kBacklink, storage::page_key(PageId{target}), value);
    ++report.counts["pages with backlinks"];
    report.counts["pairs of pages with a link"] += record.sources.size();
    record.sources.clear();
  };
  std::uint32_t source = 0;
  for (bool first = true; const auto link = backlinks.next(); first = false) {
    const bool new_target = first || link->target != target;
    if (new_target) flush();
    if (new_target || link->source != source) {
      if (!new_target) end_source();
      record.sources.push_back({PageId{link->source}, {}});
      in_table = false;
    }
    target = link->target;
    source = link->source;
    if (link->place == kInTable) {
      in_table = true;
      continue;
    }
    auto& at = record.sources.back().places;
    if (!at.empty() && at.back() == link->place) continue;
    at.push_back(link->place);
    ++places;
  }
  flush();
  report.counts["backlinks"] = places;
  report.counts["bytes of backlinks before compression"] = bytes;
  if (!by_table) {
    report.counts.erase("pairs of pages with a link");
    return;
  }
  report.counts["links that only pagelinks has"] = only_in_table;
  report.counts["links that only the text has (left out)"] = only_in_text;
}

}  // namespace touchstone::pipeline::corpus::links
