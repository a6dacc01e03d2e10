#include "analysis/presentation/svg_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {
namespace {

namespace html = formats::html;
using html::Html;
using studies::Chart;
using studies::ChartPoint;
using studies::ChartSeries;

constexpr double kLeft = 70, kRight = 20, kTop = 16, kBottom = 56;  ///< pixels around the axes
constexpr double kWidth = 760, kPlotHeight = 320;
constexpr double kLegendRow = 20, kCategoryLetter = 6.2;
/// The Okabe-Ito palette, which people with any colour vision can tell apart, and grey for the rest.
constexpr std::array<const char*, 8> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#000000", "#8c8c8c"};

const char* colour_of(std::size_t series) {
  return kColours[std::min(series, kColours.size() - 1)];
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

/// Where the points of one chart are on the page.
class Canvas {
 public:
  explicit Canvas(const Chart& chart) {
    for (const auto& series : chart.series) {
      for (const auto& point : series.points) {
        x_.take(point.x);
        for (const double value : {point.y, point.low, point.high}) y_.take(value);
      }
    }
    if (!chart.categories.empty()) x_ = {-0.5, static_cast<double>(chart.categories.size()) - 0.5};
    if (chart.y_range) y_ = {chart.y_range->first, chart.y_range->second};
    x_.widen_if_flat();
    y_.widen_if_flat();
    if (!chart.y_range) {
      const auto tics = round_tics(y_.low, y_.high, 6);
      const double step = tics.size() > 1 ? tics[1] - tics[0] : y_.high - y_.low;
      y_ = {std::floor(y_.low / step + 1e-9) * step, std::ceil(y_.high / step - 1e-9) * step};
    }
  }

  double x(double value) const { return kLeft + (value - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight); }
  double y(double value) const {
    return kTop + (1 - (std::clamp(value, y_.low, y_.high) - y_.low) / (y_.high - y_.low)) * kPlotHeight;
  }
  const Range& x_range() const { return x_; }
  const Range& y_range() const { return y_; }

 private:
  Range x_, y_;
};

Html text_at(double x, double y, const std::string& anchor, const std::string& text, const std::string& turn = "") {
  return html::element("text", {{"x", pixel(x)}, {"y", pixel(y)}, {"text-anchor", anchor}, {"transform", turn}}, text);
}

Html line_between(double x1, double y1, double x2, double y2, const std::string& colour) {
  return html::empty_element(
      "line", {{"x1", pixel(x1)}, {"y1", pixel(y1)}, {"x2", pixel(x2)}, {"y2", pixel(y2)}, {"stroke", colour}});
}

std::size_t longest_category(const Chart& chart) {
  std::size_t longest = 0;
  for (const auto& name : chart.categories) longest = std::max(longest, std::min<std::size_t>(name.size(), 40));
  return longest;
}

/// Names of categories stand upright if they do not fit side by side.
bool has_upright_names(const Chart& chart) {
  return static_cast<double>(longest_category(chart) * chart.categories.size()) * kCategoryLetter >
         kWidth - kLeft - kRight;
}

double bottom_of(const Chart& chart) {
  if (!has_upright_names(chart)) return kBottom;
  return kBottom + static_cast<double>(longest_category(chart)) * kCategoryLetter;
}

Html axes(const Chart& chart, const Canvas& canvas) {
  Html out;
  const double right = kWidth - kRight, floor = kTop + kPlotHeight;
  for (const double tic : round_tics(canvas.y_range().low, canvas.y_range().high, 6)) {
    out += line_between(kLeft, canvas.y(tic), right, canvas.y(tic), "#e4e4e4");
    out += text_at(kLeft - 6, canvas.y(tic) + 4, "end", tic_text(tic));
  }
  if (chart.categories.empty()) {
    for (const double tic : round_tics(canvas.x_range().low, canvas.x_range().high, 8)) {
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
  out += line_between(kLeft, floor, right, floor, "#555555");
  out += line_between(kLeft, kTop, kLeft, floor, "#555555");
  out += text_at((kLeft + right) / 2, floor + bottom_of(chart) - 14, "middle", chart.x_axis);
  out += text_at(16, kTop + kPlotHeight / 2, "middle", chart.y_axis,
                 fmt::format("rotate(-90 16 {})", pixel(kTop + kPlotHeight / 2)));
  return out;
}

std::vector<ChartPoint> finite_points(const ChartSeries& series) {
  std::vector<ChartPoint> points;
  for (const auto& point : series.points) {
    if (std::isfinite(point.x) && std::isfinite(point.y)) points.push_back(point);
  }
  return points;
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

Html drawn(const ChartSeries& series, const Canvas& canvas, const std::string& colour) {
  const auto points = finite_points(series);
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

Html legend(const Chart& chart, double top) {
  Html out;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const double y = top + kLegendRow * static_cast<double>(i);
    out += html::empty_element(
        "rect", {{"x", pixel(kLeft)}, {"y", pixel(y)}, {"width", "14"}, {"height", "10"}, {"fill", colour_of(i)}});
    out += text_at(kLeft + 20, y + 9, "start", chart.series[i].name + (chart.series[i].dashed ? " (dashed)" : ""));
  }
  return out;
}

}  // namespace

Html svg_chart(const Chart& chart) {
  const Canvas canvas(chart);
  const double below = kTop + kPlotHeight + bottom_of(chart);
  const double height = below + kLegendRow * static_cast<double>(chart.series.size());
  Html content = html::element("title", {}, chart.title) + axes(chart, canvas);
  for (std::size_t i = 0; i < chart.series.size(); ++i) content += drawn(chart.series[i], canvas, colour_of(i));
  content += legend(chart, below);
  return html::element("svg",
                       {{"xmlns", "http://www.w3.org/2000/svg"},
                        {"viewBox", fmt::format("0 0 {:.0f} {:.0f}", kWidth, height)},
                        {"width", fmt::format("{:.0f}", kWidth)},
                        {"height", fmt::format("{:.0f}", height)},
                        {"font-family", "sans-serif"},
                        {"font-size", "12"},
                        {"role", "img"}},
                       content);
}

}  // namespace touchstone::analysis::presentation::internal
