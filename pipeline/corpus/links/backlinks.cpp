#include "pipeline/corpus/links/backlinks.hpp"

#include <vector>

namespace touchstone::pipeline::corpus::links {

void write_backlinks(records::Sorter<Backlink>& backlinks, const storage::SourcePages& sources, bool by_table,
                     storage::BulkLoader& loader, flow::StageReport& report) {
  storage::LinkGraphWriter writer(sources, loader);
  std::uint64_t place_count = 0, only_in_text = 0, only_in_table = 0;
  std::vector<std::uint32_t> places;  // of one source
  for (auto link = backlinks.next(); link;) {
    const Backlink first = *link;
    places.clear();
    bool in_table = false;
    for (; link && link->target == first.target && link->source == first.source; link = backlinks.next()) {
      if (link->place == kInTable) {
        in_table = true;
      } else if (places.empty() || places.back() != link->place) {
        places.push_back(link->place);
      }
    }
    if (by_table && !in_table) {
      ++only_in_text;
    } else {
      if (places.empty()) {
        ++only_in_table;
        places.push_back(0);
      }
      place_count += places.size();
      writer.add_source(PageId{first.source}, places);
    }
    if (!link || link->target != first.target) writer.end_target(PageId{first.target});
  }
  writer.finish();
  report.counts["backlinks"] = place_count;
  report.counts["bytes of backlinks before compression"] = writer.list_bytes() + writer.place_bytes();
  if (writer.targets() > 0) report.counts["pages with backlinks"] = writer.targets();
  if (!by_table) return;
  if (writer.targets() > 0) report.counts["pairs of pages with a link"] = writer.links();
  report.counts["links that only pagelinks has"] = only_in_table;
  report.counts["links that only the text has (left out)"] = only_in_text;
}

}  // namespace touchstone::pipeline::corpus::links
