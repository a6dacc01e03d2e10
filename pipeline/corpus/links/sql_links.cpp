#include "pipeline/corpus/links/sql_links.hpp"

#include "common/error.hpp"
#include "common/records/sorter.hpp"
#include "pipeline/corpus/links/number_set.hpp"

#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus::links {
namespace {

using extractors::sql::PageLinkColumns;
using extractors::sql::SqlDumpReader;
using extractors::sql::SqlRow;
using extractors::sql::WikiTable;

/// A page of the store by its number in linktarget.
struct NumberedPage {
  std::uint64_t number;
  std::uint32_t page;
  friend auto operator<=>(const NumberedPage&, const NumberedPage&) = default;
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

/// The pages that linktarget names, by their numbers there.
class NumberedPages {
 public:
  /// Reads linktarget. Throws FormatError if its numbers lie too far apart.
  NumberedPages(const SqlTables& tables, const SqlLinkNeeds& needs) : known_(kSetBytes), of_pages_(kSetBytes) {
    const auto& table = tables.table(WikiTable::kLinktarget);
    const auto id = table.column("lt_id").value(), ns = table.column("lt_namespace").value();
    const auto title = table.column("lt_title").value();
    records::Sorter<NumberedTitle> titles(needs.folder, needs.memory_bytes / 2);
    tables.for_each_row(WikiTable::kLinktarget, [&](const SqlRow& row, const SqlDumpReader& reader) {
      const auto number = row_number(row, id, reader);
      if (!known_.add(number)) {
        throw FormatError(
            fmt::format("{}: row {}: with the number {}, the numbers need more than {} MB of memory; linktarget of a "
                        "wiki numbers its "
                        "rows one by one, see that the file is one",
                        reader.name(), reader.rows(), number, kSetBytes >> 20U));
      }
      titles.add({title_hash(namespace_number(row, ns, reader), extractors::sql::title_text(row[title].text)), number});
    });
    known_.seal();
    records::Sorter<NumberedPage> found(needs.folder, needs.memory_bytes / 2);
    join_titles(
        needs.titles(), [&] { return titles.next(); },
        [&](const NumberedTitle& asked, std::uint32_t page) {
          if (page != 0) found.add({asked.number, page});
        },
        [](std::uint32_t) {});
    std::optional<std::uint64_t> last;
    while (const auto page = found.next()) {
      if (page->number == last) continue;
      last = page->number;
      of_pages_.add(page->number);
      pages_.push_back(page->page);
    }
    of_pages_.seal();
  }

  bool is_known(std::uint64_t number) const noexcept { return known_.contains(number); }
  /// Nothing if no page of the store has the title of that number.
  std::optional<PageId> find(std::uint64_t number) const noexcept {
    const auto rank = of_pages_.rank(number);
    return rank ? std::optional(PageId{pages_[*rank]}) : std::nullopt;
  }

 private:
  /// For 500 million numbers without gaps.
  static constexpr std::size_t kSetBytes = std::size_t{128} << 20U;

  NumberSet known_, of_pages_;
  std::vector<std::uint32_t> pages_;  ///< of the numbers in of_pages_, ascending
};

void for_each_numbered_link(const SqlTables& tables, const SqlLinkNeeds& needs,
                            const std::function<void(PageId, PageId)>& visit, SqlLinkCounts& counts) {
  const NumberedPages pages(tables, needs);
  const PageLinkColumns columns(tables.table(WikiTable::kPagelinks));
  counts.rows = tables.for_each_row(WikiTable::kPagelinks, [&](const SqlRow& row, const SqlDumpReader& reader) {
    const auto link = columns.read(row, reader);
    if (const auto page = pages.find(link.target_number))
      visit(PageId{link.from}, *page);
    else if (!pages.is_known(link.target_number))
      ++counts.unknown_numbers;
  });
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
