#include "pipeline/corpus/links/sql_items.hpp"

#include "common/records/sorter.hpp"

namespace touchstone::pipeline::corpus::links {
namespace {

using extractors::sql::SqlDumpReader;
using extractors::sql::SqlRow;
using extractors::sql::WikiTable;

constexpr std::size_t kMaxMalformedBytes = 80;  // of a value that is kept

struct PageItem {
  std::uint32_t page;
  std::uint64_t item;
  friend auto operator<=>(const PageItem&, const PageItem&) = default;
};

}  // namespace

SqlItemCounts for_each_sql_item(const SqlTables& tables, const std::filesystem::path& folder, std::size_t memory_bytes,
                                const std::function<void(PageId, std::uint64_t)>& visit) {
  SqlItemCounts counts;
  if (!tables.has(WikiTable::kPageProps)) return counts;
  const auto& table = tables.table(WikiTable::kPageProps);
  const auto page = table.column("pp_page").value(), name = table.column("pp_propname").value();
  const auto value = table.column("pp_value").value();
  records::Sorter<PageItem> items(folder, memory_bytes);
  tables.for_each_row(WikiTable::kPageProps, [&](const SqlRow& row, const SqlDumpReader& reader) {
    if (row[name].text != "wikibase_item") return;
    ++counts.rows;
    const auto item = extractors::sql::item_number(row[value].text);
    if (item)
      items.add({page_number(row, page, reader), *item});
    else
      counts.malformed.emplace_back(row[value].text.substr(0, kMaxMalformedBytes));
  });
  std::uint32_t last = 0;
  while (const auto item = items.next()) {
    if (item->page == last) continue;
    last = item->page;
    visit(PageId{item->page}, item->item);
  }
  return counts;
}

}  // namespace touchstone::pipeline::corpus::links
