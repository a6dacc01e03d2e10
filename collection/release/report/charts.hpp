#pragma once

#include "collection/release/report/tables.hpp"
#include "formats/html/html.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Charts of a report, as HTML and inline SVG that need no script.
namespace touchstone::collection::release::report {

using formats::html::Html;

/// What a histogram of counts is about.
struct CountHistogramTexts {
  std::string values;  ///< "evidence passages": what is counted for each item
  std::string items;   ///< "topics"
};

/// How many items have how much of something. \pre the highest value is at most some 10^6 bins of the chosen width
Html count_histogram(const std::map<std::uint64_t, std::uint64_t>& items_by_value, const CountHistogramTexts& texts);

/// A cell with a bar as wide as `share` of the cell, and a value beside it.
Html bar_cell(double share, std::string_view value);

/// A table whose last cells are bars.
Html bar_table(const std::vector<ColumnHead>& columns, const Html& rows);

/// A table with a name, further cells and a bar in each row.
struct BarRow {
  Html name;
  std::vector<Html> cells;  ///< between name and bar
  std::uint64_t value = 0;
};
/// \param columns  those of the name, of the cells and of the bar
Html bar_rows_table(const std::vector<std::string>& columns, const std::vector<BarRow>& rows);

}  // namespace touchstone::collection::release::report
