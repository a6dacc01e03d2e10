#pragma once

#include "common/number_text.hpp"
#include "formats/html/html.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Pieces of the report's tables.
namespace touchstone::collection::release::report {

using formats::html::element;
using formats::html::Html;

/// A cell with a number or another short value, aligned to the end.
inline Html number_cell(const Html& value) {
  return element("td", {{"class", "n"}}, value);
}
inline Html number_cell(std::uint64_t value) {
  return number_cell(with_commas(value));
}

/// The cell that names a row.
inline Html row_head(const Html& name) {
  return element("th", {{"scope", "row"}}, name);
}

struct ColumnHead {
  Html title;
  std::string_view style = {};  ///< class of the cell; "n": numbers
};

inline Html table_head(const std::vector<ColumnHead>& columns) {
  Html cells;
  for (const auto& [title, style] : columns) {
    cells += style.empty() ? element("th", {{"scope", "col"}}, title)
                           : element("th", {{"scope", "col"}, {"class", std::string(style)}}, title);
  }
  return element("thead", {}, element("tr", {}, cells));
}

/// A remark in small print.
inline Html note(const Html& content) {
  return element("p", {{"class", "note"}}, content);
}

/// What is where there is nothing to show.
inline Html empty_note(const Html& content) {
  return element("p", {{"class", "empty"}}, content);
}

}  // namespace touchstone::collection::release::report
