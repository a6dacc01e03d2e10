#include "extractors/data/data_table.hpp"

#include "common/error.hpp"

#include <algorithm>

namespace touchstone::extractors::data {

const DataTable& data_table(std::string_view name) {
  const std::span<const DataTable> tables = data_tables();
  const auto found =
      std::find_if(tables.begin(), tables.end(), [name](const DataTable& table) { return table.name == name; });
  TS_CHECK(found != tables.end(), "no table " + std::string(name));
  return *found;
}

void throw_bad_row(const DataTable& table, std::string_view place, const std::string& why) {
  const std::string_view before = table.text.substr(0, static_cast<std::size_t>(place.data() - table.text.data()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  throw FormatError("extractors/data/" + std::string(table.name) + ".tsv, line " + std::to_string(line) + ": " + why);
}

std::string_view take_line(std::string_view& lines) noexcept {
  const std::size_t end = std::min(lines.find('\n'), lines.size());
  const std::string_view line = lines.substr(0, end);
  lines.remove_prefix(std::min(end + 1, lines.size()));
  return line;
}

std::string_view data_lines(const DataTable& table) noexcept {
  std::string_view lines = table.text;
  while (lines.starts_with('#')) take_line(lines);
  return lines;
}

std::string_view data_lines_from(const DataTable& table, std::string_view key) noexcept {
  const std::string_view lines = data_lines(table);
  std::size_t low = 0;
  std::size_t high = lines.size();  // both are where lines begin
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t begin = middle == 0 ? 0 : lines.rfind('\n', middle - 1) + 1;  // npos + 1 is 0
    std::string_view rest = lines.substr(begin);
    const std::string_view line = take_line(rest);
    if (line.substr(0, line.find('\t')) < key) {
      low = lines.size() - rest.size();
    } else {
      high = begin;
    }
  }
  return lines.substr(low);
}

void split_line(const DataTable& table, std::string_view line, std::span<std::string_view> fields) {
  std::string_view rest = line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t tab = rest.find('\t');
    const bool last = i + 1 == fields.size();
    if ((tab == std::string_view::npos) != last)
      throw_bad_row(table, line, "expected " + std::to_string(fields.size()) + " fields with tabs between them");
    fields[i] = rest.substr(0, tab);
    if (!last) rest.remove_prefix(tab + 1);
  }
}

}  // namespace touchstone::extractors::data
