#include "pipeline/corpus/sql_page_records.hpp"

#include "common/records/sorter.hpp"
#include "pipeline/corpus/links/sql_pages.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::sql::SqlDumpReader;
using extractors::sql::SqlRow;
using extractors::sql::WikiTable;
using flow::StageReport;
using flow::WriteContext;
using links::SqlTables;
using storage::Family;

/// Of the pages that the table has, in namespaces of the dump. With more the user is warned.
constexpr double kManyMissing = 0.01;

std::optional<Title> title_of(const storage::Store& store, PageId page) {
  std::string bytes;
  if (!store.get(Family::kPage, storage::page_key(page), bytes)) return std::nullopt;
  return storage::decode_page(bytes).title;
}

/// Titles of the categories that page_props calls hidden: those that only serve maintenance.
std::unordered_set<std::string> hidden_categories(const storage::Store& store, const SqlTables& tables) {
  std::unordered_set<std::string> titles;
  if (!tables.has(WikiTable::kPageProps)) return titles;
  const auto& table = tables.table(WikiTable::kPageProps);
  const auto page = table.column("pp_page").value(), name = table.column("pp_propname").value();
  tables.for_each_row(WikiTable::kPageProps, [&](const SqlRow& row, const SqlDumpReader& reader) {
    if (row[name].text != "hiddencat") return;
    if (auto title = title_of(store, PageId{page_number(row, page, reader)})) titles.insert(std::move(title->text));
  });
  return titles;
}

/// Leaves of `record` what the page's own text does not say. False if nothing is left.
bool keep_news(const storage::Store& store, PageId page, const Title& title, storage::SqlPageRecord& record) {
  std::string bytes;
  if (store.get(Family::kAttribute, storage::page_key(page), bytes)) {
    const auto of_text = storage::decode_attributes(bytes).categories;
    std::erase_if(record.categories, [&](const Title& category) {
      return std::find(of_text.begin(), of_text.end(), category) != of_text.end();
    });
  }
  std::erase(record.names, title.text);
  return !record.categories.empty() || !record.names.empty();
}

struct TablePage {
  std::uint32_t page;
  std::int32_t ns;
  friend auto operator<=>(const TablePage&, const TablePage&) = default;
};

/// Compares the pages of the table with those of the store. Namespaces of which the dump has no page do not count.
void compare_pages(const WriteContext& context, const SqlTables& tables, std::size_t memory_bytes,
                   StageReport& report) {
  const auto& columns = tables.table(WikiTable::kPage);
  const auto id = columns.column("page_id").value(), ns = columns.column("page_namespace").value();
  records::Sorter<TablePage> of_table(context.scratch(), memory_bytes);
  report.counts["rows of page"] = tables.for_each_row(WikiTable::kPage, [&](const SqlRow& row, const auto& reader) {
    of_table.add({page_number(row, id, reader), namespace_number(row, ns, reader)});
  });
  std::set<std::int32_t> spaces;
  std::map<std::int32_t, std::uint64_t> rows, missing;  // by namespace
  std::uint64_t others = 0;
  auto cursor = context.store.cursor(Family::kPage);
  auto asked = of_table.next();
  const auto pass = [&](bool is_there) {
    ++rows[asked->ns];
    if (!is_there) ++missing[asked->ns];
    asked = of_table.next();
  };
  for (std::uint64_t seen = 0; cursor.valid(); cursor.next()) {
    if ((++seen & 1023) == 0) context.stop.check();
    const auto page = storage::read_page_key(cursor.key());
    if (!page) continue;
    spaces.insert(storage::decode_page(cursor.value()).title.ns);
    while (asked && asked->page < page->value) pass(false);
    if (asked && asked->page == page->value)
      pass(true);
    else
      ++others;
  }
  while (asked) pass(false);
  std::uint64_t all = 0, gone = 0;
  for (const auto space : spaces) {
    all += rows[space];
    gone += missing[space];
  }
  if (gone > 0) report.counts["pages of the table page that are not in the dump"] = gone;
  if (others > 0) report.counts["pages of the dump that the table page lacks"] = others;
  if (static_cast<double>(gone) > kManyMissing * static_cast<double>(all)) {
    report.warnings.push_back(
        fmt::format("the dump lacks {} of the {} pages that the table page has in its namespaces; is it whole, and of "
                    "the same date?",
                    gone, all));
  }
}

}  // namespace

std::vector<Option<SqlPageOptions>> SqlPageOptions::options() {
  return {
      {"link.title_languages", &SqlPageOptions::languages,
       "Languages, by the codes of langlinks, whose titles become further names of pages. Empty: all that the table "
       "has."}};
}

void write_sql_pages(WriteContext& context, const SqlTables& tables, std::size_t memory_bytes,
                     storage::BulkLoader& loader, StageReport& report) {
  if (tables.has(WikiTable::kPage)) compare_pages(context, tables, memory_bytes, report);
  const bool has_categories = tables.has(WikiTable::kCategorylinks), has_names = tables.has(WikiTable::kLanglinks);
  if (!has_categories && !has_names) return;
  const auto hidden = has_categories ? hidden_categories(context.store, tables) : std::unordered_set<std::string>();
  std::uint64_t left_out = 0, categories = 0, names = 0, pages = 0;
  const auto is_hidden = [&](std::string_view category) {
    const bool found = hidden.contains(std::string(category));
    left_out += found ? 1 : 0;
    return found;
  };
  const auto counts = links::for_each_sql_page(
      tables, {context.scratch(), memory_bytes, context.options<SqlPageOptions>().languages, is_hidden},
      [&](PageId page, storage::SqlPageRecord&& record) {
        if ((++pages & 1023) == 0) context.stop.check();
        const auto title = title_of(context.store, page);
        if (!title || !keep_news(context.store, page, *title, record)) return;
        categories += record.categories.size();
        names += record.names.size();
        loader.add(Family::kSqlPage, storage::page_key(page), encode(record));
      });
  if (has_categories) {
    report.counts["rows of categorylinks"] = counts.category_rows;
    report.counts["categories that only categorylinks has"] = categories;
    if (left_out > 0) report.counts["rows of categorylinks whose category is hidden"] = left_out;
    if (counts.unknown_numbers > 0)
      report.counts["rows of categorylinks whose category is not in linktarget"] = counts.unknown_numbers;
  }
  if (has_names) {
    report.counts["rows of langlinks"] = counts.language_rows;
    report.counts["names from other languages"] = names;
  }
}

}  // namespace touchstone::pipeline::corpus
