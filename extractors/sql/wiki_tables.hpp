#pragma once

#include "extractors/sql/sql_dump.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::extractors::sql {

/// The tables of MediaWiki that are read (mediawiki.org Manual:Database layout, read 2025-01).
enum class WikiTable : std::uint8_t {
  kPage,
  kRedirect,
  kPagelinks,
  kLinktarget,
  kPageProps,
  kLanglinks,
  kCategorylinks
};

std::string_view to_string(WikiTable table) noexcept;

/// The names of all tables that are read, as MediaWiki has them.
std::vector<std::string_view> wiki_table_names();

/// Which table a dump holds. Throws FormatError for another table, and for one without the columns that are needed.
WikiTable wiki_table_of(const SqlDumpReader& reader);

/// A link of `pagelinks`: the older columns name its target, the newer ones give its number in `linktarget`. Dumps of
/// 2023 and 2024 have both.
struct PageLinkRow {
  std::uint32_t from = 0;
  bool has_title = false;
  std::int32_t ns = 0;
  std::string_view title;           ///< as the database has it, with underscores
  std::uint64_t target_number = 0;  ///< 0: not known
};

/// Numbered columns of a pagelinks dump.
class PageLinkColumns {
 public:
  explicit PageLinkColumns(const SqlTable& table);
  bool has_titles() const noexcept { return title_.has_value(); }
  bool has_numbers() const noexcept { return number_.has_value(); }
  /// Throws FormatError for a row whose numbers are none.
  PageLinkRow read(const SqlRow& row, const SqlDumpReader& reader) const;

 private:
  std::size_t from_;
  std::optional<std::size_t> ns_, title_, number_;
};

/// A number of a row. Throws FormatError, with the place, if it is none or too large.
std::uint32_t page_number(const SqlRow& row, std::size_t column, const SqlDumpReader& reader);
std::uint64_t row_number(const SqlRow& row, std::size_t column, const SqlDumpReader& reader);
std::int32_t namespace_number(const SqlRow& row, std::size_t column, const SqlDumpReader& reader);

/// A title of the database in its text form: blanks for underscores.
std::string title_text(std::string_view database_title);

/// The number of an item from page_props, such as 42 for "Q42"; nothing for anything else.
std::optional<std::uint64_t> item_number(std::string_view qid) noexcept;

}  // namespace touchstone::extractors::sql
