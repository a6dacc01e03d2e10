#include "pipeline/corpus/links/sql_pages.hpp"

#include "common/records/sorter.hpp"

#include <algorithm>
#include <compare>
#include <optional>
#include <utility>

namespace touchstone::pipeline::corpus::links {
namespace {

using extractors::sql::SqlDumpReader;
using extractors::sql::SqlRow;
using extractors::sql::WikiTable;

/// A text that a table gives a page.
struct PageText {
  std::uint32_t page = 0;
  bool is_name = false;  ///< else a category
  std::string text;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("is_name", is_name)("text", text);
  }
  friend auto operator<=>(const PageText&, const PageText&) = default;
};
using PageTexts = records::Sorter<PageText>;

/// A page in a category, by the category's number in linktarget.
struct NumberedMember {
  std::uint64_t number;
  std::uint32_t page;
  friend auto operator<=>(const NumberedMember&, const NumberedMember&) = default;
};

/// A category by its number in linktarget.
struct NumberedCategory {
  std::uint64_t number = 0;
  std::string title;

  template <class Fields>
  void fields(Fields& field) {
    field("number", number)("title", title);
  }
  friend auto operator<=>(const NumberedCategory&, const NumberedCategory&) = default;
};

void add_category(const SqlPageNeeds& needs, std::uint32_t page, std::string title, PageTexts& texts) {
  if (!title.empty() && !needs.is_left_out(title)) texts.add({page, false, std::move(title)});
}

void read_titled_categories(const SqlTables& tables, const SqlPageNeeds& needs, PageTexts& texts,
                            SqlPageCounts& counts) {
  const auto& table = tables.table(WikiTable::kCategorylinks);
  const auto from = table.column("cl_from").value(), to = table.column("cl_to").value();
  counts.category_rows =
      tables.for_each_row(WikiTable::kCategorylinks, [&](const SqlRow& row, const SqlDumpReader& reader) {
        add_category(needs, page_number(row, from, reader), extractors::sql::title_text(row[to].text), texts);
      });
}

void read_numbered_categories(const SqlTables& tables, const SqlPageNeeds& needs, PageTexts& texts,
                              SqlPageCounts& counts) {
  const auto& table = tables.table(WikiTable::kCategorylinks);
  const auto from = table.column("cl_from").value(), to = table.column("cl_target_id").value();
  records::Sorter<NumberedMember> members(needs.folder, needs.memory_bytes / 3);
  counts.category_rows =
      tables.for_each_row(WikiTable::kCategorylinks, [&](const SqlRow& row, const SqlDumpReader& reader) {
        members.add({row_number(row, to, reader), page_number(row, from, reader)});
      });
  const auto& targets = tables.table(WikiTable::kLinktarget);
  const auto id = targets.column("lt_id").value(), ns = targets.column("lt_namespace").value();
  const auto title = targets.column("lt_title").value();
  records::Sorter<NumberedCategory> categories(needs.folder, needs.memory_bytes / 3);
  tables.for_each_row(WikiTable::kLinktarget, [&](const SqlRow& row, const SqlDumpReader& reader) {
    if (namespace_number(row, ns, reader) == kNamespaceCategory)
      categories.add({row_number(row, id, reader), extractors::sql::title_text(row[title].text)});
  });
  auto category = categories.next();
  while (const auto member = members.next()) {
    while (category && category->number < member->number) category = categories.next();
    if (category && category->number == member->number)
      add_category(needs, member->page, category->title, texts);
    else
      ++counts.unknown_numbers;
  }
}

void read_names(const SqlTables& tables, const SqlPageNeeds& needs, PageTexts& texts, SqlPageCounts& counts) {
  const auto& table = tables.table(WikiTable::kLanglinks);
  const auto from = table.column("ll_from").value(), language = table.column("ll_lang").value();
  const auto title = table.column("ll_title").value();
  const auto is_wanted = [&](std::string_view code) {
    return needs.languages.empty() ||
           std::find(needs.languages.begin(), needs.languages.end(), code) != needs.languages.end();
  };
  counts.language_rows =
      tables.for_each_row(WikiTable::kLanglinks, [&](const SqlRow& row, const SqlDumpReader& reader) {
        if (!row[title].text.empty() && is_wanted(row[language].text))
          texts.add({page_number(row, from, reader), true, extractors::sql::title_text(row[title].text)});
      });
}

}  // namespace

SqlPageCounts for_each_sql_page(const SqlTables& tables, const SqlPageNeeds& needs,
                                const std::function<void(PageId, storage::SqlPageRecord&&)>& visit) {
  SqlPageCounts counts;
  PageTexts texts(needs.folder, needs.memory_bytes / 3, records::Repeats::kDrop);
  if (tables.has(WikiTable::kCategorylinks)) {
    const bool titled = tables.table(WikiTable::kCategorylinks).column("cl_to").has_value();
    (titled ? read_titled_categories : read_numbered_categories)(tables, needs, texts, counts);
  }
  if (tables.has(WikiTable::kLanglinks)) read_names(tables, needs, texts, counts);
  std::uint32_t page = 0;
  storage::SqlPageRecord record;
  const auto flush = [&] {
    if (record != storage::SqlPageRecord{}) visit(PageId{page}, std::exchange(record, {}));
  };
  while (auto text = texts.next()) {
    if (text->page != page) flush();
    page = text->page;
    if (text->is_name)
      record.names.push_back(std::move(text->text));
    else
      record.categories.push_back({kNamespaceCategory, std::move(text->text)});
  }
  flush();
  return counts;
}

}  // namespace touchstone::pipeline::corpus::links
