#include "collection/report/charts.hpp"

#include "collection/report/tables.hpp"
#include "common/number_text.hpp"
#include "formats/svg/histogram.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::report::internal {
namespace {

using formats::svg::bin_width;
using formats::svg::Column;
using formats::svg::svg_histogram;

std::string one_digit(double value) {
  return fixed_digits(value, 1);
}

/// A cell with a bar as wide as `share` of the cell, and a value beside it.
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

}  // namespace

Html bucket_table(const CollectionNumbers& numbers) {
  if (numbers.buckets.empty()) return empty_note("No topics.");
  double max = 0;
  for (const auto& bucket : numbers.buckets) max = std::max(max, bucket.evidence_mean);
  Html rows;
  for (const auto& bucket : numbers.buckets) {
    rows += element("tr", {}, row_head(bucket.label), number_cell(bucket.topics), number_cell(bucket.members),
                    number_cell(bucket.evidence),
                    bar_cell(max > 0 ? bucket.evidence_mean / max : 0, fixed_digits(bucket.evidence_mean, 2)));
  }
  return bar_table(
      {{"members"}, {"topics", "n"}, {"members in all", "n"}, {"evidence", "n"}, {"evidence per topic (mean)", "wide"}},
      rows);
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

Html evidence_histogram(const std::vector<std::uint64_t>& evidence_per_topic) {
  std::map<std::uint64_t, std::uint64_t> topics;
  for (const auto evidence : evidence_per_topic) ++topics[evidence];
  return count_histogram(topics, {"evidence passages", "topics"});
}

Html probability_histogram(const std::array<std::array<std::uint64_t, 2>, kProbabilityBins>& probabilities) {
  std::vector<Column> columns;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const auto [no, yes] = probabilities[i];
    const double from = static_cast<double>(i) / static_cast<double>(kProbabilityBins);
    const double to = static_cast<double>(i + 1) / static_cast<double>(kProbabilityBins);
    total += no + yes;
    columns.push_back({i % 2 == 0 ? (i == 0 ? "0" : one_digit(from)) : "",
                       fmt::format("{} to {}: {} no, {} yes", fixed_digits(from, 2), fixed_digits(to, 2),
                                   with_commas(no), with_commas(yes)),
                       {no, yes}});
  }
  if (total == 0) return empty_note("No judgment has a probability.");
  return svg_histogram(
      columns, {"Histogram: judgments by the judge's probability of yes", "probability of yes", "judgments"}, true);
}

}  // namespace touchstone::collection::report::internal
