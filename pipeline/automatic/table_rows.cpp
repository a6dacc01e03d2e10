#include "pipeline/automatic/table_rows.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <cstdint>

namespace touchstone::pipeline::automatic::internal {
namespace {

using storage::CellRecord;
using storage::TableRecord;

bool is_text(const CellRecord& cell) {
  return !cell.missing && !is_white_space(cell.text);
}

bool is_heading_row(const TableRecord& table, std::uint32_t row) {
  bool any = false;
  for (std::uint32_t column = 0; column < table.columns; ++column) {
    const CellRecord& cell = table.cell(row, column);
    if (!is_text(cell)) continue;
    if (!cell.header) return false;
    any = true;
  }
  return any;
}

/// A cell that a cell to its left covers.
bool is_copy(const TableRecord& table, std::uint32_t row, std::uint32_t column) {
  const CellRecord& cell = table.cell(row, column);
  return column > 0 && cell.repeated && cell.column_span > 1 && cell.text == table.cell(row, column - 1).text;
}

class RowText {
 public:
  void add(const CellRecord& cell, const std::string& heading) {
    if (!row_.text.empty()) append("; ");
    if (!heading.empty()) append(heading + ": ");
    for (auto link : cell.links) {
      link.begin += length_;
      link.end += length_;
      row_.links.push_back(link);
    }
    append(cell.text);
  }
  bool empty() const { return row_.text.empty(); }
  TableRow take() { return std::move(row_); }

 private:
  void append(const std::string& text) {
    row_.text += text;
    length_ += static_cast<std::uint32_t>(count_code_points(text));
  }
  TableRow row_;
  std::uint32_t length_ = 0;  // code points
};

}  // namespace

std::vector<TableRow> rows_of(const TableRecord& table) {
  std::vector<TableRow> rows;
  std::vector<std::string> headings(table.columns);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    if (is_heading_row(table, row)) {
      for (std::uint32_t column = 0; column < table.columns; ++column) headings[column] = table.cell(row, column).text;
      continue;
    }
    RowText text;
    for (std::uint32_t column = 0; column < table.columns; ++column) {
      const CellRecord& cell = table.cell(row, column);
      if (is_text(cell) && !is_copy(table, row, column)) text.add(cell, headings[column]);
    }
    if (text.empty()) continue;
    rows.push_back(text.take());
    std::replace_if(
        rows.back().text.begin(), rows.back().text.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; },
        ' ');
  }
  return rows;
}

}  // namespace touchstone::pipeline::automatic::internal
