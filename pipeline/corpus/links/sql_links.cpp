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

TitleJoin::Question as_question(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number)};
}
std::uint64_t number_of(TitleJoin::Question question) {
  return std::uint64_t{question.page} << 32 | question.tag;
}

void for_each_titled_link(const SqlTables& tables, const SqlLinkNeeds& needs,
                          const std::function<void(PageId, PageId)>& visit, SqlLinkCounts& counts) {
  const PageLinkColumns columns(tables.table(WikiTable::kPagelinks));
  TitleJoin join(needs.folder, needs.memory_bytes);
  needs.add_pages(join);
  counts.rows = tables.for_each_row(WikiTable::kPagelinks, [&](const SqlRow& row, const SqlDumpReader& reader) {
    const auto link = columns.read(row, reader);
    join.ask({link.ns, extractors::sql::title_text(link.title)}, {link.from, 0});
  });
  join.finish([&](TitleJoin::Question question, std::uint32_t page) { visit(PageId{question.page}, PageId{page}); },
              [](TitleJoin::Question) {}, [](std::uint32_t) {});
}

/// Finds the pages that linktarget names.
void number_pages(const SqlTables& tables, const SqlLinkNeeds& needs, records::Sorter<NumberedPage>& pages) {
  const auto& table = tables.table(WikiTable::kLinktarget);
  const auto id = table.column("lt_id").value(), ns = table.column("lt_namespace").value();
  const auto title = table.column("lt_title").value();
  TitleJoin join(needs.folder, needs.memory_bytes / 3);
  needs.add_pages(join);
  tables.for_each_row(WikiTable::kLinktarget, [&](const SqlRow& row, const SqlDumpReader& reader) {
    join.ask({namespace_number(row, ns, reader), extractors::sql::title_text(row[title].text)},
             as_question(row_number(row, id, reader)));
  });
  join.finish(
      [&](TitleJoin::Question question, std::uint32_t page) {
        pages.add({number_of(question), page});
      },
      [&](TitleJoin::Question question) {
        pages.add({number_of(question), 0});
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
