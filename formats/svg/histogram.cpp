#include "formats/svg/histogram.hpp"

#include "common/number_text.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace touchstone::formats::svg {
namespace {

using html::element;
using html::empty_element;
using html::Html;

std::string one_digit(double value) {
  return fixed_digits(value, 1);
}

std::uint64_t height_of(const Column& column) {
  std::uint64_t sum = 0;
  for (const auto part : column.parts) sum += part;
  return sum;
}

constexpr std::uint64_t kMostGridLines = 5;  ///< above zero

/// Places in a histogram, in units of the view box.
class HistogramLayout {
 public:
  explicit HistogramLayout(const std::vector<Column>& columns) {
    std::uint64_t max = 1;
    for (const auto& column : columns) max = std::max(max, height_of(column));
    step = bin_width(max, kMostGridLines);
    top = (max + step - 1) / step * step;
    // Room for the axis title and the longest number beside it.
    left = 34 + 6.5 * static_cast<double>(with_commas(top).size());
    plot_width = kWidth - left - kRight;
    slot = plot_width / static_cast<double>(columns.size());
  }

  double y_of(std::uint64_t value) const {
    return kTop + kPlotHeight * (1 - static_cast<double>(value) / static_cast<double>(top));
  }

  static constexpr double kWidth = 640, kHeight = 240;
  static constexpr double kTop = 14, kBottom = 44, kRight = 8;  ///< around the plot
  static constexpr double kPlotHeight = kHeight - kTop - kBottom;
  std::uint64_t step = 1;  ///< between grid lines
  std::uint64_t top = 1;   ///< value of the highest grid line
  double left = 0, plot_width = 0;
  double slot = 0;  ///< width of a column with its gaps
};

Html svg_text(double x, double y, const char* anchor, const char* style, const Html& text) {
  return element("text", {{"x", one_digit(x)}, {"y", one_digit(y)}, {"text-anchor", anchor}, {"class", style}}, text);
}

Html grid(const HistogramLayout& layout) {
  Html out;
  for (std::uint64_t value = 0; value <= layout.top; value += layout.step) {
    const double y = layout.y_of(value);
    out += empty_element("line", {{"class", "grid"},
                                  {"x1", one_digit(layout.left)},
                                  {"x2", one_digit(layout.kWidth - layout.kRight)},
                                  {"y1", one_digit(y)},
                                  {"y2", one_digit(y)}});
    out += svg_text(layout.left - 6, y + 4, "end", "tick", with_commas(value));
  }
  return out;
}

/// The parts of one column and the strip that shows its tooltip.
Html column_bars(const HistogramLayout& layout, const Column& column, double x) {
  const double gap = std::min(3.0, layout.slot * 0.15);
  // An unseen strip over the whole height, so that low columns show their tooltip too.
  Html out = element("title", {}, column.tooltip) + empty_element("rect", {{"class", "hit"},
                                                                           {"x", one_digit(x)},
                                                                           {"y", one_digit(layout.kTop)},
                                                                           {"width", one_digit(layout.slot)},
                                                                           {"height", one_digit(layout.kPlotHeight)}});
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

}  // namespace

Html svg_histogram(const std::vector<Column>& columns, const HistogramTexts& texts, bool labels_at_edges) {
  const HistogramLayout layout(columns);
  Html out = grid(layout);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double x = layout.left + layout.slot * static_cast<double>(i);
    out += column_bars(layout, columns[i], x);
    if (columns[i].label.empty()) continue;
    out += svg_text(labels_at_edges ? x : x + layout.slot / 2, layout.kHeight - layout.kBottom + 16, "middle", "tick",
                    columns[i].label);
  }
  if (labels_at_edges)
    out += svg_text(layout.kWidth - layout.kRight, layout.kHeight - layout.kBottom + 16, "middle", "tick", "1");
  out += svg_text(layout.left + layout.plot_width / 2, layout.kHeight - 8, "middle", "axis", texts.x);
  out += element(
      "text",
      {{"class", "axis"},
       {"text-anchor", "middle"},
       {"transform", fmt::format("translate(12 {}) rotate(-90)", one_digit(layout.kTop + layout.kPlotHeight / 2))}},
      texts.y);
  return element("svg",
                 {{"class", "chart"},
                  {"viewBox", fmt::format("0 0 {} {}", one_digit(layout.kWidth), one_digit(layout.kHeight))},
                  {"role", "img"},
                  {"aria-label", std::string(texts.title)}},
                 out);
}

std::uint64_t bin_width(std::uint64_t max, std::uint64_t max_bins) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max() / 100;
  for (std::uint64_t power = 1; power < kLargest; power *= 10) {
    for (const std::uint64_t digit : {1U, 2U, 5U}) {
      if (max / (digit * power) + (max % (digit * power) == 0 ? 0 : 1) <= max_bins) return digit * power;
    }
  }
  return kLargest;
}

}  // namespace touchstone::formats::svg
