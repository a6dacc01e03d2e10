#include "pipeline/corpus/links/sql_items.hpp"

#include "common/external_sorter.hpp"

#include <tuple>

namespace touchstone::pipeline::corpus::links {
namespace {

using extractors::sql::SqlDumpReader;
using extractors::sql::SqlRow;
using extractors::sql::WikiTable;

constexpr std::size_t kMaxMalformedBytes = 80;  // of a value that is kept

struct PageItem {
  std::uint32_t page;
  std::uint64_t item;
  friend bool operator<(const PageItem& a, const PageItem& b) {
    return std::tuple(a.page, a.item) < std::tuple(b.page, b.item);
  }
};

}  // namespace

SqlItemCounts for_each_sql_item(const SqlTables& tables, const std::filesystem::path& folder, std::size_t memory_bytes,
                                const std::function<void(PageId, std::uint64_t)>& visit) {
  SqlItemCounts counts;
  if (!tables.has(WikiTable::kPageProps)) return counts;
  const auto& table = tables.table(WikiTable::kPageProps);
  const auto page = table.column("pp_page").value(), name = table.column("pp_propname").value();
  const auto value = table.column("pp_value").value();
  ExternalSorter<PageItem> items(folder, "items", memory_bytes);
  tables.for_each_row(WikiTable::kPageProps, [&](const SqlRow& row, const SqlDumpReader& reader) {
    if (row[name].text != "wikibase_item") return;
    ++counts.rows;
    const auto item = extractors::sql::item_number(row[value].text);
    if (item)
      items.add({page_number(row, page, reader), *item});
    else
      counts.malformed.emplace_back(row[value].text.substr(0, kMaxMalformedBytes));
  });
  items.finish();
  std::uint32_t last = 0;
  for (PageItem item{}; items.next(item);) {
    if (item.page == last) continue;
    last = item.page;
    visit(PageId{item.page}, item.item);
  }
  return counts;
}

}  // namespace touchstone::pipeline::corpus::links
