#include "collection/report/charts.hpp"

#include "collection/report/tables.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::report::internal {
namespace {

using formats::html::Attributes;
using formats::html::empty_element;

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

/// One column of a histogram: parts from below to above.
struct Column {
  std::string label;  ///< under the column; may be empty
  std::string tooltip;
  std::vector<std::uint64_t> parts;
};

std::uint64_t height_of(const Column& column) {
  std::uint64_t sum = 0;
  for (const auto part : column.parts) sum += part;
  return sum;
}

/// Size of a histogram and the room around its plot, in units of the view box.
constexpr double kWidth = 640;
constexpr double kHeight = 240;
constexpr double kTop = 14;
constexpr double kBottom = 44;
constexpr double kRight = 8;
/// Most grid lines above zero.
constexpr std::uint64_t kGridLines = 5;

/// Where things stand in a histogram.
class Layout {
 public:
  explicit Layout(const std::vector<Column>& columns) {
    std::uint64_t max = 1;
    for (const auto& column : columns) max = std::max(max, height_of(column));
    step = bin_width(max, kGridLines);
    top = (max + step - 1) / step * step;
    // Room for the axis title and the longest number beside it.
    left = 34 + 6.5 * static_cast<double>(with_commas(top).size());
    plot_width = kWidth - left - kRight;
    slot = plot_width / static_cast<double>(columns.size());
  }

  double y_of(std::uint64_t value) const {
    return kTop + kPlotHeight * (1 - static_cast<double>(value) / static_cast<double>(top));
  }

  static constexpr double kPlotHeight = kHeight - kTop - kBottom;
  std::uint64_t step = 1;  ///< between grid lines
  std::uint64_t top = 1;   ///< value of the highest grid line
  double left = 0, plot_width = 0;
  double slot = 0;  ///< width of a column with its gaps
};

Html svg_text(double x, double y, const char* anchor, const char* style, const Html& text) {
  return element("text", {{"x", one_digit(x)}, {"y", one_digit(y)}, {"text-anchor", anchor}, {"class", style}}, text);
}

Html grid(const Layout& layout) {
  Html out;
  for (std::uint64_t value = 0; value <= layout.top; value += layout.step) {
    const double y = layout.y_of(value);
    out += empty_element("line", {{"class", "grid"},
                                  {"x1", one_digit(layout.left)},
                                  {"x2", one_digit(kWidth - kRight)},
                                  {"y1", one_digit(y)},
                                  {"y2", one_digit(y)}});
    out += svg_text(layout.left - 6, y + 4, "end", "tick", with_commas(value));
  }
  return out;
}

/// The parts of one column and the strip that shows its tooltip.
Html column_bars(const Layout& layout, const Column& column, double x) {
  const double gap = std::min(3.0, layout.slot * 0.15);
  // An unseen strip over the whole height, so that low columns show their tooltip too.
  Html out = element("title", {}, column.tooltip) + empty_element("rect", {{"class", "hit"},
                                                                           {"x", one_digit(x)},
                                                                           {"y", one_digit(kTop)},
                                                                           {"width", one_digit(layout.slot)},
                                                                           {"height", one_digit(Layout::kPlotHeight)}});
  std::uint64_t below = 0;
  for (std::size_t part = 0; part < column.parts.size(); ++part) {
    const std::uint64_t value = column.parts[part];
    if (value > 0) {
      const double y = layout.y_of(below + value);
      out += empty_element("rect", {{"class", fmt::format("part{}", part)},
                                    {"x", one_digit(x + gap)},
                                    {"y", one_digit(y)},
                                    {"width", one_digit(std::max(layout.slot - 2 * gap, 0.5))},
                                    {"height", one_digit(std::max(layout.y_of(below) - y, 0.5))}});
    }
    below += value;
  }
  return element("g", {}, out);
}

struct HistogramTexts {
  std::string_view title;  ///< for those who do not see the picture
  std::string x, y;        ///< what stands on the axes
};

/// \param labels_at_edges  labels name the left edges of their columns, and the last edge is 1; else they name columns
Html histogram(const std::vector<Column>& columns, const HistogramTexts& texts, bool labels_at_edges) {
  const Layout layout(columns);
  Html out = grid(layout);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double x = layout.left + layout.slot * static_cast<double>(i);
    out += column_bars(layout, columns[i], x);
    if (columns[i].label.empty()) continue;
    out +=
        svg_text(labels_at_edges ? x : x + layout.slot / 2, kHeight - kBottom + 16, "middle", "tick", columns[i].label);
  }
  if (labels_at_edges) out += svg_text(kWidth - kRight, kHeight - kBottom + 16, "middle", "tick", "1");
  out += svg_text(layout.left + layout.plot_width / 2, kHeight - 8, "middle", "axis", texts.x);
  out +=
      element("text",
              {{"class", "axis"},
               {"text-anchor", "middle"},
               {"transform", fmt::format("translate(12 {}) rotate(-90)", one_digit(kTop + Layout::kPlotHeight / 2))}},
              texts.y);
  return element("svg",
                 {{"class", "chart"},
                  {"viewBox", fmt::format("0 0 {} {}", one_digit(kWidth), one_digit(kHeight))},
                  {"role", "img"},
                  {"aria-label", std::string(texts.title)}},
                 out);
}

}  // namespace

std::uint64_t bin_width(std::uint64_t max, std::uint64_t max_bins) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max() / 100;
  for (std::uint64_t power = 1; power < kLargest; power *= 10) {
    for (const std::uint64_t digit : {1U, 2U, 5U}) {
      if (max / (digit * power) + (max % (digit * power) == 0 ? 0 : 1) <= max_bins) return digit * power;
    }
  }
  return kLargest;
}

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
  return histogram(
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
  return histogram(columns,
                   {"Histogram: judgments by the judge's probability of yes", "probability of yes", "judgments"}, true);
}

}  // namespace touchstone::collection::report::internal
