#pragma once

#include "storage/records.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::automatic::internal {

/// A row of a table as one line of text, with the links of its cells.
struct TableRow {
  std::string text;
  std::vector<storage::TextLink> links;
};

/// The rows of a table that hold text. Cells are in order, each behind the heading of its column ("Height: 30 m;
/// Built: 1891"). Rows of headings alone are left out, and so are cells without text and copies of a cell that spans
/// columns of the same row.
std::vector<TableRow> rows_of(const storage::TableRecord& table);

}  // namespace touchstone::pipeline::automatic::internal
