#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace touchstone::extractors::data {

/// A file of extractors/data/ as it was when the program was built: comments that begin with '#', then lines of fields
/// with tabs between them, sorted by the bytes of the first field.
struct DataTable {
  std::string_view name;  ///< of the file, without ".tsv"
  std::string_view text;
};

std::span<const DataTable> data_tables();

/// \pre  there is one of that name
const DataTable& data_table(std::string_view name);

template <std::size_t kFields>
using DataRow = std::array<std::string_view, kFields>;

/// Throws FormatError that names the table, the line and the reason. \param place  a part of the table's text
[[noreturn]] void throw_bad_row(const DataTable& table, std::string_view place, const std::string& why);

/// The lines of the table behind its comments.
std::string_view data_lines(const DataTable& table) noexcept;

/// The lines from the first one whose first field is not less than `key`. Found by binary search.
std::string_view data_lines_from(const DataTable& table, std::string_view key) noexcept;

/// Takes the first line off `lines`.
std::string_view take_line(std::string_view& lines) noexcept;

/// Fills `fields` from a line that must have as many. Throws FormatError.
void split_line(const DataTable& table, std::string_view line, std::span<std::string_view> fields);

/// Calls `use(row)` for each row of the table. Throws FormatError if a line has another number of fields.
template <std::size_t kFields, class Use>
void for_each_row(const DataTable& table, Use&& use) {
  DataRow<kFields> row;
  for (std::string_view lines = data_lines(table); !lines.empty();) {
    split_line(table, take_line(lines), row);
    use(row);
  }
}

/// The same for those whose first field is `key`, in their order; the others are not read.
template <std::size_t kFields, class Use>
void for_each_row_of(const DataTable& table, std::string_view key, Use&& use) {
  DataRow<kFields> row;
  for (std::string_view lines = data_lines_from(table, key); !lines.empty();) {
    split_line(table, take_line(lines), row);
    if (row.front() != key) return;
    use(row);
  }
}

}  // namespace touchstone::extractors::data
