#include "collection/evidence/report/left_out_pages.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/report/topic_view.hpp"
#include "collection/release/report/shown_text.hpp"
#include "collection/release/report/tables.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/records/sorter.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;
namespace {

constexpr std::size_t kSortMemory = std::size_t{16} << 20;
constexpr std::size_t kCellCodePoints = 500;

/// A row with its place in the file, and that of its reason among all.
struct RankedRow {
  std::size_t rank = 0;
  std::uint64_t number = 0;
  DiscardedRecord record;
  template <class Fields>
  void fields(Fields& field) {
    field("rank", rank)("number", number)("record", record);
  }
  friend bool operator<(const RankedRow& a, const RankedRow& b) {
    return std::tie(a.rank, a.record.reason, a.number) < std::tie(b.rank, b.record.reason, b.number);
  }
};

DiscardedRecord taken(std::string_view line, const std::filesystem::path& path, std::uint64_t number) {
  auto record = parse_discarded(line);
  if (record) return std::move(*record);
  throw FormatError(
      fmt::format("{}:{}: {}; touchstone validate lists all that is wrong", path.string(), number, record.error()));
}

Html row_of(const DiscardedRecord& record) {
  Html cells;
  for (const auto& value : {record.kind, record.page, join_path(record.section_path), record.column, record.detail})
    cells += element("td", {{"dir", "auto"}}, shown_excerpt(value, kCellCodePoints));
  return element("tr", {}, cells);
}

/// Parts rows into pages.
class Writer {
 public:
  Writer(const PageFolder& place, const std::map<std::string, std::uint64_t>& counts)
      : series_(place, "left-out", "page"), counts_(counts) {}

  void add(const DiscardedRecord& record) {
    const auto row = row_of(record);
    if (record.reason != reason_) finish_table();
    const bool full =
        content_.markup().size() + rows_.markup().size() + row.markup().size() > series_.place().max_file_bytes;
    if (full && !(content_.empty() && rows_.empty())) flush(true);
    if (record.reason != reason_) {
      reason_ = record.reason;
      const auto anchor = fmt::format("r{}", ++reasons_);
      const auto count = counts_.find(reason_);
      heading_ = element("h2", {{"id", anchor}, {"dir", "auto"}}, shown_excerpt(reason_, kCellCodePoints), Html(" "),
                         element("small", {}, count == counts_.end() ? "" : with_commas(count->second)));
      pages_.places[reason_] = fmt::format("{}#{}", series_.name(), anchor);
    } else if (rows_.empty()) {
      heading_ = element("h2", {{"dir", "auto"}}, shown_excerpt(reason_, kCellCodePoints), Html(" "),
                         element("small", {}, "continued"));
    }
    rows_ += row;
  }

  LeftOutPages finish() {
    flush(false);
    pages_.files = series_.written();
    return std::move(pages_);
  }

 private:
  void finish_table() {
    if (rows_.empty()) return;
    const Html table = element("table", {{"class", "list"}},
                               table_head({{"what"}, {"page"}, {"section"}, {"column"}, {"why exactly"}}),
                               element("tbody", {}, rows_));
    content_ += heading_ + element("div", {{"class", "card wide-table"}}, table);
    rows_ = {};
  }

  void flush(bool more_follow) {
    finish_table();
    if (content_.empty()) return;
    series_.write(fmt::format("Left out, page {}", with_commas(series_.number())), {}, content_, more_follow);
    content_ = {};
  }

  PageSeries series_;
  const std::map<std::string, std::uint64_t>& counts_;
  LeftOutPages pages_;
  Html content_, heading_, rows_;
  std::string reason_;
  std::size_t reasons_ = 0;
};

}  // namespace

LeftOutPages write_left_out(const std::filesystem::path& directory, const PageFolder& place,
                            const std::map<std::string, std::uint64_t>& counts, const StopFlag& stop) {
  std::vector<std::pair<std::uint64_t, std::string>> frequent;
  for (const auto& [reason, count] : counts) frequent.emplace_back(count, reason);
  std::stable_sort(frequent.begin(), frequent.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::map<std::string, std::size_t> ranks;
  for (const auto& [count, reason] : frequent) ranks.emplace(reason, ranks.size());
  records::Sorter<RankedRow> by_reason(place.folder.parent_path(), kSortMemory);
  const auto path = directory / "discarded.tsv";
  for_each_line(
      path,
      [&](std::string_view line, std::uint64_t number) {
        stop.check();
        if (number == 1) return true;
        auto record = taken(line, path, number);
        const auto rank = ranks.find(record.reason);
        by_reason.add({rank == ranks.end() ? ranks.size() : rank->second, number, std::move(record)});
        return true;
      },
      kMaxCollectionLineBytes);
  Writer writer(place, counts);
  while (const auto row = by_reason.next()) {
    stop.check();
    writer.add(row->record);
  }
  return writer.finish();
}

}  // namespace touchstone::collection::evidence::report::internal
