#include "pipeline/corpus/links/sql_links.hpp"

#include "common/records/sorter.hpp"

namespace touchstone::pipeline::corpus::links {
namespace {

using extractors::sql::PageLinkColumns;
using extractors::sql::SqlDumpReader;
using extractors::sql::SqlRow;
using extractors::sql::WikiTable;

/// A page by its number in linktarget; 0: no page of the store has that title.
struct NumberedPage {
  std::uint64_t number;
  std::uint32_t page;
  friend auto operator<=>(const NumberedPage&, const NumberedPage&) = default;
};

/// A link to a number in linktarget.
struct NumberedLink {
  std::uint64_t number;
  std::uint32_t source;
  friend auto operator<=>(const NumberedLink&, const NumberedLink&) = default;
};

/// A link to a title.
struct TitledLink {
  std::uint64_t hash;
  std::uint32_t source;
  friend auto operator<=>(const TitledLink&, const TitledLink&) = default;
};

/// A title in linktarget.
struct NumberedTitle {
  std::uint64_t hash, number;
  friend auto operator<=>(const NumberedTitle&, const NumberedTitle&) = default;
};

void for_each_titled_link(const SqlTables& tables, const SqlLinkNeeds& needs,
                          const std::function<void(PageId, PageId)>& visit, SqlLinkCounts& counts) {
  const PageLinkColumns columns(tables.table(WikiTable::kPagelinks));
  records::Sorter<TitledLink> links(needs.folder, needs.memory_bytes);
  counts.rows = tables.for_each_row(WikiTable::kPagelinks, [&](const SqlRow& row, const SqlDumpReader& reader) {
    const auto link = columns.read(row, reader);
    links.add({title_hash(link.ns, extractors::sql::title_text(link.title)), link.from});
  });
  join_titles(
      needs.titles(), [&] { return links.next(); },
      [&](const TitledLink& link, std::uint32_t page) {
        if (page != 0) visit(PageId{link.source}, PageId{page});
      },
      [](std::uint32_t) {});
}

/// Finds the pages that linktarget names.
void number_pages(const SqlTables& tables, const SqlLinkNeeds& needs, records::Sorter<NumberedPage>& pages) {
  const auto& table = tables.table(WikiTable::kLinktarget);
  const auto id = table.column("lt_id").value(), ns = table.column("lt_namespace").value();
  const auto title = table.column("lt_title").value();
  records::Sorter<NumberedTitle> titles(needs.folder, needs.memory_bytes / 3);
  tables.for_each_row(WikiTable::kLinktarget, [&](const SqlRow& row, const SqlDumpReader& reader) {
    titles.add({title_hash(namespace_number(row, ns, reader), extractors::sql::title_text(row[title].text)),
                row_number(row, id, reader)});
  });
  join_titles(
      needs.titles(), [&] { return titles.next(); },
      [&](const NumberedTitle& asked, std::uint32_t page) {
        pages.add({asked.number, page});
      },
      [](std::uint32_t) {});
}

void for_each_numbered_link(const SqlTables& tables, const SqlLinkNeeds& needs,
                            const std::function<void(PageId, PageId)>& visit, SqlLinkCounts& counts) {
  records::Sorter<NumberedPage> pages(needs.folder, needs.memory_bytes / 3);
  number_pages(tables, needs, pages);
  records::Sorter<NumberedLink> links(needs.folder, needs.memory_bytes / 3);
  const PageLinkColumns columns(tables.table(WikiTable::kPagelinks));
  counts.rows = tables.for_each_row(WikiTable::kPagelinks, [&](const SqlRow& row, const SqlDumpReader& reader) {
    const auto link = columns.read(row, reader);
    links.add({link.target_number, link.from});
  });
  auto page = pages.next();
  while (const auto link = links.next()) {
    while (page && page->number < link->number) page = pages.next();
    if (!page || page->number != link->number)
      ++counts.unknown_numbers;
    else if (page->page != 0)
      visit(PageId{link->source}, PageId{page->page});
  }
}

}  // namespace

SqlLinkCounts for_each_sql_link(const SqlTables& tables, const SqlLinkNeeds& needs,
                                const std::function<void(PageId, PageId)>& visit) {
  SqlLinkCounts counts;
  if (!tables.has(WikiTable::kPagelinks)) return counts;
  if (PageLinkColumns(tables.table(WikiTable::kPagelinks)).has_titles())
    for_each_titled_link(tables, needs, visit, counts);
  else
    for_each_numbered_link(tables, needs, visit, counts);
  return counts;
}

}  // namespace touchstone::pipeline::corpus::links
