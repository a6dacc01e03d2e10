#include "extractors/sql/wiki_tables.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::extractors::sql {
namespace {

/// A table with the columns without which it cannot be read.
struct KnownTable {
  WikiTable table;
  std::string_view name;
  std::vector<std::string_view> columns;
};

const std::vector<KnownTable>& known_tables() {
  static const std::vector<KnownTable> tables = {
      {WikiTable::kPage, "page", {"page_id", "page_namespace", "page_title", "page_is_redirect"}},
      {WikiTable::kRedirect, "redirect", {"rd_from", "rd_namespace", "rd_title"}},
      {WikiTable::kPagelinks, "pagelinks", {"pl_from"}},
      {WikiTable::kLinktarget, "linktarget", {"lt_id", "lt_namespace", "lt_title"}},
      {WikiTable::kPageProps, "page_props", {"pp_page", "pp_propname", "pp_value"}},
      {WikiTable::kLanglinks, "langlinks", {"ll_from", "ll_lang", "ll_title"}},
      {WikiTable::kCategorylinks, "categorylinks", {"cl_from"}}};
  return tables;
}

[[noreturn]] void refuse_row(const SqlDumpReader& reader, std::size_t column) {
  throw FormatError(
      fmt::format("{}: row {}, in front of byte {}: {} is not a number that fits; the file is damaged, "
                  "download it again",
                  reader.name(), reader.rows(), reader.offset(), reader.table().columns.at(column)));
}

}  // namespace

std::string_view to_string(WikiTable table) noexcept {
  for (const auto& known : known_tables()) {
    if (known.table == table) return known.name;
  }
  return {};
}

std::vector<std::string_view> wiki_table_names() {
  std::vector<std::string_view> names;
  for (const auto& known : known_tables()) names.push_back(known.name);
  return names;
}

WikiTable wiki_table_of(const SqlDumpReader& reader) {
  const auto& table = reader.table();
  std::string names;
  for (const auto& known : known_tables()) {
    names += (names.empty() ? "" : ", ") + std::string(known.name);
    if (known.name != table.name) continue;
    for (const auto column : known.columns) {
      if (!table.column(column))
        throw FormatError(
            fmt::format("{}: the table {} has no column {}; is it of MediaWiki?", reader.name(), table.name, column));
    }
    if (known.table == WikiTable::kPagelinks && !table.column("pl_title") && !table.column("pl_target_id"))
      throw FormatError(fmt::format(
          "{}: the table pagelinks has neither pl_title nor pl_target_id; is it of MediaWiki?", reader.name()));
    if (known.table == WikiTable::kCategorylinks && !table.column("cl_to") && !table.column("cl_target_id"))
      throw FormatError(fmt::format(
          "{}: the table categorylinks has neither cl_to nor cl_target_id; is it of MediaWiki?", reader.name()));
    return known.table;
  }
  throw FormatError(fmt::format("{}: holds the table {}, which is not used; the tables that are: {}", reader.name(),
                                table.name, names));
}

PageLinkColumns::PageLinkColumns(const SqlTable& table)
    : from_(table.column("pl_from").value()), number_(table.column("pl_target_id")) {
  if (!table.column("pl_title") || !table.column("pl_namespace")) return;
  ns_ = table.column("pl_namespace");
  title_ = table.column("pl_title");
}

PageLinkRow PageLinkColumns::read(const SqlRow& row, const SqlDumpReader& reader) const {
  PageLinkRow link;
  link.from = page_number(row, from_, reader);
  if (title_) {
    link.has_title = true;
    link.ns = namespace_number(row, *ns_, reader);
    link.title = row[*title_].text;
  }
  if (number_ && !row[*number_].is_null) link.target_number = row_number(row, *number_, reader);
  return link;
}

std::uint64_t row_number(const SqlRow& row, std::size_t column, const SqlDumpReader& reader) {
  const auto number = row.at(column).number();
  if (!number) refuse_row(reader, column);
  return *number;
}

std::uint32_t page_number(const SqlRow& row, std::size_t column, const SqlDumpReader& reader) {
  const auto number = row_number(row, column, reader);
  if (number > std::numeric_limits<std::uint32_t>::max()) refuse_row(reader, column);
  return static_cast<std::uint32_t>(number);
}

std::int32_t namespace_number(const SqlRow& row, std::size_t column, const SqlDumpReader& reader) {
  const auto number = row.at(column).signed_number();
  using Limits = std::numeric_limits<std::int32_t>;
  if (!number || *number < Limits::min() || *number > Limits::max()) refuse_row(reader, column);
  return static_cast<std::int32_t>(*number);
}

std::string title_text(std::string_view database_title) {
  std::string text(database_title);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::optional<std::uint64_t> item_number(std::string_view qid) noexcept {
  if (qid.size() < 2 || qid.front() != 'Q' || qid[1] == '0') return std::nullopt;
  return SqlValue{qid.substr(1)}.number();
}

}  // namespace touchstone::extractors::sql
