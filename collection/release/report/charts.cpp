#include "collection/release/report/charts.hpp"

#include "collection/release/report/tables.hpp"
#include "common/number_text.hpp"
#include "formats/svg/histogram.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::release::report {
namespace {

using formats::svg::bin_width;
using formats::svg::Column;
using formats::svg::svg_histogram;

std::string one_digit(double value) {
  return fixed_digits(value, 1);
}

}  // namespace

Html bar_cell(double share, std::string_view value) {
  const Html bar = element(
      "span",
      {{"class", "bar"}, {"style", fmt::format("inline-size:{}%", one_digit(std::clamp(share, 0.0, 1.0) * 100))}}, "");
  return element("td", {{"class", "wide"}}, element("span", {{"class", "track"}}, bar),
                 element("span", {{"class", "value"}}, value));
}

Html bar_table(const std::vector<ColumnHead>& columns, const Html& rows) {
  return element("table", {{"class", "bars"}}, table_head(columns), element("tbody", {}, rows));
}

Html count_histogram(const std::map<std::uint64_t, std::uint64_t>& items_by_value, const CountHistogramTexts& texts) {
  if (items_by_value.empty()) return empty_note("No " + texts.items + ".");
  const std::uint64_t max = items_by_value.rbegin()->first;
  const std::uint64_t width = bin_width(max + 1, 25);
  std::vector<Column> columns(static_cast<std::size_t>(max / width + 1));
  const std::size_t label_every = columns.size() > 13 ? 2 : 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::uint64_t first = i * width;
    if (i % label_every == 0) columns[i].label = std::to_string(first);
    columns[i].parts = {0};
    columns[i].tooltip = width == 1 ? std::to_string(first) : fmt::format("{}–{}", first, first + width - 1);
  }
  for (const auto& [value, count] : items_by_value) columns[static_cast<std::size_t>(value / width)].parts[0] += count;
  for (auto& column : columns) {
    column.tooltip += fmt::format(" {}: {} {}", texts.values, with_commas(column.parts[0]), texts.items);
  }
  const std::string title = fmt::format("Histogram: {} by number of {}", texts.items, texts.values);
  return svg_histogram(
      columns,
      {title, width == 1 ? texts.values : fmt::format("{} (from; bins of {})", texts.values, with_commas(width)),
       texts.items},
      false);
}

Html bar_rows_table(const std::vector<std::string>& columns, const std::vector<BarRow>& rows) {
  std::vector<ColumnHead> heads;
  for (std::size_t i = 0; i < columns.size(); ++i)
    heads.push_back({columns[i], i == 0 ? "" : (i + 1 == columns.size() ? "wide" : "n")});
  std::uint64_t max = 1;
  for (const auto& row : rows) max = std::max(max, row.value);
  Html body;
  for (const auto& row : rows) {
    Html cells = row_head(row.name);
    for (const auto& cell : row.cells) cells += number_cell(cell);
    body += element("tr", {}, cells,
                    bar_cell(static_cast<double>(row.value) / static_cast<double>(max), with_commas(row.value)));
  }
  return bar_table(heads, body);
}

}  // namespace touchstone::collection::release::report
