#include "formats/svg/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::formats::svg {
namespace {

using html::Html;

constexpr double kLeft = 70, kRight = 20, kTop = 16, kBottom = 56;  ///< pixels around the axes
constexpr double kPlotWidth = 670, kPlotHeight = 320;
constexpr double kLegendRow = 20, kCategoryLetter = 6.2;
constexpr double kRow = 14;  ///< pixels that a line of text needs
constexpr std::size_t kPanelColumns = 3;
constexpr double kPanelHeight = 150, kPanelGap = 34;  ///< the gap holds the tics of one panel and the title of another
/// The Okabe-Ito palette, which people with any colour vision can tell apart, and grey for the rest.
constexpr std::array<const char*, 8> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#000000", "#8c8c8c"};

std::string colour_of(const ChartSeries& series, std::size_t index) {
  return series.colour.empty() ? kColours[std::min(index, kColours.size() - 1)] : series.colour;
}

std::string pixel(double value) {
  return fmt::format("{:.1f}", value == 0 ? 0.0 : value);
}

/// A tic: at most four digits behind the point, without zeros at the end.
std::string tic_text(double value) {
  return fmt::format("{:.4g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

/// Round values that cover [low, high] in about `count` steps.
std::vector<double> round_tics(double low, double high, int count) {
  const double raw = (high - low) / count, power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * 0.999) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> tics;
  for (double at = std::ceil(low / step - 1e-9); at * step <= high + step * 1e-9; ++at) tics.push_back(at * step);
  return tics;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
  void widen_if_flat() {
    if (empty()) *this = {0, 1};
    if (high - low > 1e-9 * std::max(1.0, std::abs(high))) return;
    low -= 0.5;
    high += 0.5;
  }
};

/// Pixels of the longest name, of which at most 40 letters are shown.
double width_of_names(const std::vector<std::string>& names) {
  std::size_t longest = 0;
  for (const auto& name : names) longest = std::max(longest, std::min<std::size_t>(name.size(), 40));
  return static_cast<double>(longest) * kCategoryLetter;
}

/// The place of a plot on the page, in pixels, and about how many tics its axes have room for.
struct Frame {
  double left = kLeft, top = kTop, right = kLeft + kPlotWidth, floor = kTop + kPlotHeight;
  int x_tics = 8, y_tics = 6;
};

/// The place of the only plot, or of all panels. Each category has room for its name.
Frame frame_of(const Chart& chart) {
  Frame frame;
  if (!chart.corner.empty()) frame.top += kRow;
  frame.left += width_of_names(chart.y_categories);
  frame.right = frame.left + std::max(kPlotWidth, kRow * static_cast<double>(chart.categories.size()));
  frame.floor = frame.top + std::max(kPlotHeight, kRow * static_cast<double>(chart.y_categories.size()));
  return frame;
}

/// Where the points of one plot are on the page.
class Canvas {
 public:
  Canvas(const Chart& chart, const Frame& frame) : frame_(frame), is_downward_(!chart.y_categories.empty()) {
    take(chart.series);
    for (const auto& panel : chart.panels) take(panel.series);
    if (!chart.categories.empty()) x_ = {-0.5, static_cast<double>(chart.categories.size()) - 0.5};
    if (chart.y_range) y_ = {chart.y_range->first, chart.y_range->second};
    if (is_downward_) y_ = {-0.5, static_cast<double>(chart.y_categories.size()) - 0.5};
    x_.widen_if_flat();
    y_.widen_if_flat();
    if (!chart.y_range && !is_downward_) {
      const auto tics = round_tics(y_.low, y_.high, frame.y_tics);
      const double step = tics.size() > 1 ? tics[1] - tics[0] : y_.high - y_.low;
      y_ = {std::floor(y_.low / step + 1e-9) * step, std::ceil(y_.high / step - 1e-9) * step};
    }
  }

  double x(double value) const {
    return frame_.left + (value - x_.low) / (x_.high - x_.low) * (frame_.right - frame_.left);
  }
  double y(double value) const {
    const double share = (std::clamp(value, y_.low, y_.high) - y_.low) / (y_.high - y_.low);
    return frame_.top + (is_downward_ ? share : 1 - share) * (frame_.floor - frame_.top);
  }
  const Frame& frame() const { return frame_; }
  const Range& x_range() const { return x_; }
  const Range& y_range() const { return y_; }

 private:
  void take(const std::vector<ChartSeries>& all) {
    for (const auto& series : all) {
      for (const auto& point : series.points) {
        x_.take(point.x);
        for (const double value : {point.y, point.low, point.high}) y_.take(value);
      }
    }
  }

  Frame frame_;
  bool is_downward_;
  Range x_, y_;
};

Html text_at(double x, double y, const std::string& anchor, const std::string& text, const std::string& turn = "") {
  return html::element("text", {{"x", pixel(x)}, {"y", pixel(y)}, {"text-anchor", anchor}, {"transform", turn}}, text);
}

Html line_between(double x1, double y1, double x2, double y2, const std::string& colour) {
  return html::empty_element(
      "line", {{"x1", pixel(x1)}, {"y1", pixel(y1)}, {"x2", pixel(x2)}, {"y2", pixel(y2)}, {"stroke", colour}});
}

/// Names of categories are upright if they do not fit side by side.
bool has_upright_names(const Chart& chart) {
  const Frame frame = frame_of(chart);
  return width_of_names(chart.categories) * static_cast<double>(chart.categories.size()) > frame.right - frame.left;
}

double bottom_of(const Chart& chart) {
  return kBottom + (has_upright_names(chart) ? width_of_names(chart.categories) : 0);
}

/// The tics of an axis without categories.
std::vector<double> y_tics_of(const Chart& chart, const Canvas& canvas) {
  if (!chart.y_categories.empty()) return {};
  return round_tics(canvas.y_range().low, canvas.y_range().high, canvas.frame().y_tics);
}

Html axes(const Chart& chart, const Canvas& canvas) {
  Html out;
  const auto& [left, top, right, floor, x_tics, y_tics] = canvas.frame();
  for (std::size_t i = 0; i < chart.y_categories.size(); ++i)
    out += text_at(left - 6, canvas.y(static_cast<double>(i)) + 4, "end", chart.y_categories[i].substr(0, 40));
  for (const double tic : y_tics_of(chart, canvas)) {
    out += line_between(left, canvas.y(tic), right, canvas.y(tic), "#e4e4e4");
    out += text_at(left - 6, canvas.y(tic) + 4, "end", tic_text(tic));
  }
  if (chart.categories.empty()) {
    for (const double tic : round_tics(canvas.x_range().low, canvas.x_range().high, x_tics)) {
      out += line_between(canvas.x(tic), floor, canvas.x(tic), floor + 4, "#555555");
      out += text_at(canvas.x(tic), floor + 18, "middle", tic_text(tic));
    }
  }
  for (std::size_t i = 0; i < chart.categories.size(); ++i) {
    const double x = canvas.x(static_cast<double>(i));
    const auto name = chart.categories[i].substr(0, 40);
    if (has_upright_names(chart)) {
      out += text_at(x + 4, floor + 8, "end", name, fmt::format("rotate(-90 {} {})", pixel(x + 4), pixel(floor + 8)));
    } else {
      out += text_at(x, floor + 18, "middle", name);
    }
  }
  out += line_between(left, floor, right, floor, "#555555");
  out += line_between(left, top, left, floor, "#555555");
  return out;
}

/// What the axes show, below and at the left of all plots.
Html axis_titles(const Chart& chart, const Frame& frame) {
  // A title that is longer than its axis ends where the axis ends: what is above the plot has its own text.
  const bool is_long = static_cast<double>(chart.y_axis.size()) * kCategoryLetter > frame.floor - frame.top;
  const double y = is_long ? frame.top : (frame.top + frame.floor) / 2;
  return text_at((frame.left + frame.right) / 2, frame.floor + bottom_of(chart) - 14, "middle", chart.x_axis) +
         text_at(16, y, is_long ? "end" : "middle", chart.y_axis, fmt::format("rotate(-90 16 {})", pixel(y)));
}

/// The names of points below each other at the right, each with a line to its point.
Html labels_of(const Chart& chart, const Canvas& canvas) {
  auto labels = chart.labels;
  std::stable_sort(labels.begin(), labels.end(),
                   [&](const ChartLabel& a, const ChartLabel& b) { return canvas.y(a.y) < canvas.y(b.y); });
  const auto& frame = canvas.frame();
  std::vector<double> rows;
  for (const auto& label : labels) rows.push_back(std::max(canvas.y(label.y), rows.empty() ? 0 : rows.back() + kRow));
  double lowest = frame.floor;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row, lowest -= kRow) *row = std::min(*row, lowest);
  Html out;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    out += line_between(canvas.x(labels[i].x), canvas.y(labels[i].y), frame.right + 6, rows[i], "#b5b5b5");
    out += text_at(frame.right + 8, rows[i] + 4, "start", labels[i].text.substr(0, 40));
  }
  return out;
}

/// Cells of a grid whose columns and rows are one wide.
Html filled_cells(const std::vector<ChartPoint>& points, const Canvas& canvas, const std::string& colour) {
  Html out;
  for (const auto& point : points) {
    const double left = canvas.x(point.x - 0.5), top = canvas.y(point.y - 0.5);
    out += html::empty_element("rect", {{"x", pixel(left)},
                                        {"y", pixel(top)},
                                        {"width", pixel(canvas.x(point.x + 0.5) - left)},
                                        {"height", pixel(canvas.y(point.y + 0.5) - top)},
                                        {"fill", colour}});
  }
  return out;
}

/// The points of the series between those that are not finite.
std::vector<std::vector<ChartPoint>> unbroken_points(const ChartSeries& series) {
  std::vector<std::vector<ChartPoint>> parts;
  bool broken = true;
  for (const auto& point : series.points) {
    const bool finite = std::isfinite(point.x) && std::isfinite(point.y);
    if (finite && broken) parts.emplace_back();
    if (finite) parts.back().push_back(point);
    broken = !finite;
  }
  return parts;
}

Html band(const std::vector<ChartPoint>& points, const Canvas& canvas, const std::string& colour) {
  std::string upper, lower;
  for (const auto& point : points) {
    if (!std::isfinite(point.low) || !std::isfinite(point.high)) continue;
    upper += fmt::format("{},{} ", pixel(canvas.x(point.x)), pixel(canvas.y(point.high)));
    lower = fmt::format("{},{} ", pixel(canvas.x(point.x)), pixel(canvas.y(point.low))) + lower;
  }
  if (upper.empty()) return {};
  return html::empty_element(
      "polygon", {{"points", upper + lower}, {"fill", colour}, {"fill-opacity", "0.15"}, {"stroke", "none"}});
}

Html single_points(const std::vector<ChartPoint>& points, const Canvas& canvas, const std::string& colour) {
  Html out;
  for (const auto& point : points) {
    if (std::isfinite(point.low) && std::isfinite(point.high))
      out += line_between(canvas.x(point.x), canvas.y(point.low), canvas.x(point.x), canvas.y(point.high), colour);
    out += html::empty_element(
        "circle", {{"cx", pixel(canvas.x(point.x))}, {"cy", pixel(canvas.y(point.y))}, {"r", "3.5"}, {"fill", colour}});
  }
  return out;
}

Html drawn(const std::vector<ChartPoint>& points, const ChartSeries& series, const Canvas& canvas,
           const std::string& colour) {
  if (series.cells) return filled_cells(points, canvas, colour);
  if (!series.line || points.size() == 1) return single_points(points, canvas, colour);
  std::string path;
  for (const auto& point : points) path += fmt::format("{},{} ", pixel(canvas.x(point.x)), pixel(canvas.y(point.y)));
  return band(points, canvas, colour) +
         html::empty_element("polyline", {{"points", path},
                                          {"fill", "none"},
                                          {"stroke", colour},
                                          {"stroke-width", "2"},
                                          {"stroke-dasharray", series.dashed ? "6 4" : "none"}});
}

Html drawn(const std::vector<ChartSeries>& all, const Canvas& canvas) {
  Html out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const auto& points : unbroken_points(all[i])) out += drawn(points, all[i], canvas, colour_of(all[i], i));
  }
  return out;
}

/// The panels in rows. \param page  where they are; gets the lower end of the last row
Html panels_of(const Chart& chart, Frame& page) {
  const auto columns = static_cast<double>(std::min(kPanelColumns, chart.panels.size()));
  const double width = (page.right - page.left - (columns - 1) * kLeft) / columns;
  Html out;
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    Frame frame{.x_tics = 5, .y_tics = 4};
    frame.left = page.left + static_cast<double>(i % kPanelColumns) * (width + kLeft);
    frame.right = frame.left + width;
    frame.top = page.top + kPanelGap / 2 + static_cast<double>(i / kPanelColumns) * (kPanelHeight + 1.5 * kPanelGap);
    frame.floor = page.floor = frame.top + kPanelHeight;
    const Canvas canvas(chart, frame);
    out += text_at((frame.left + frame.right) / 2, frame.top - 8, "middle", chart.panels[i].title);
    out += axes(chart, canvas) + drawn(chart.panels[i].series, canvas);
  }
  return out;
}

Html legend(const std::vector<ChartSeries>& all, double top) {
  Html out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double y = top + kLegendRow * static_cast<double>(i);
    out += html::empty_element(
        "rect",
        {{"x", pixel(kLeft)}, {"y", pixel(y)}, {"width", "14"}, {"height", "10"}, {"fill", colour_of(all[i], i)}});
    out += text_at(kLeft + 20, y + 9, "start", all[i].name + (all[i].dashed ? " (dashed)" : ""));
  }
  return out;
}

}  // namespace

Html svg_chart(const Chart& chart) {
  Frame frame = frame_of(chart);
  Html content = html::element("title", {}, chart.title);
  if (!chart.corner.empty())
    content += html::element("text", {{"x", "8"}, {"y", "14"}, {"font-size", "10"}, {"fill", "#777777"}}, chart.corner);
  if (chart.panels.empty()) {
    const Canvas canvas(chart, frame);
    content += labels_of(chart, canvas) + axes(chart, canvas) + axis_titles(chart, frame) + drawn(chart.series, canvas);
  } else {
    content += panels_of(chart, frame);
    content += axis_titles(chart, frame);
  }
  const auto& named = chart.panels.empty() ? chart.series : chart.panels.front().series;
  const double below = frame.floor + bottom_of(chart), height = below + kLegendRow * static_cast<double>(named.size());
  content += legend(named, below);
  std::vector<std::string> names;
  for (const auto& label : chart.labels) names.push_back(label.text);
  const double width = frame.right + kRight + width_of_names(names);
  return html::element("svg",
                       {{"xmlns", "http://www.w3.org/2000/svg"},
                        {"viewBox", fmt::format("0 0 {:.0f} {:.0f}", width, height)},
                        {"width", fmt::format("{:.0f}", width)},
                        {"height", fmt::format("{:.0f}", height)},
                        {"font-family", "sans-serif"},
                        {"font-size", "12"},
                        {"role", "img"}},
                       content);
}

}  // namespace touchstone::formats::svg
