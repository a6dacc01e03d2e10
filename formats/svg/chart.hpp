#pragma once

#include "formats/html/html.hpp"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Charts as inline SVG, which needs no other program. The same chart gives the same bytes. All functions are pure.
namespace touchstone::formats::svg {

struct ChartPoint {
  double x = 0, y = 0;
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;  ///< band or bar around y; NaN: without
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  ///< by ascending x; a line breaks at points that are not finite
  bool line = true;                ///< false: single points, with bars instead of a band
  bool dashed = false;             ///< for what is extrapolated
  bool cells = false;              ///< single points that fill their cell of a grid of categories
  std::string colour{};            ///< "#8c8c8c"; by default one of a palette
};

/// One of several plots with the same axes and the same names of series.
struct ChartPanel {
  std::string title;
  std::vector<ChartSeries> series;
};

/// The name of a point. It is at the right of the plot, at the end of a line.
struct ChartLabel {
  double x = 0, y = 0;
  std::string text;
};

/// A figure: series over a shared x axis.
struct Chart {
  std::string name, title;
  std::string caption;  ///< how to read it, in sentences
  std::string x_axis, y_axis;
  std::vector<ChartSeries> series;
  std::vector<std::string> categories{};               ///< if there are some: the names of x = 0, 1, ...
  std::optional<std::pair<double, double>> y_range{};  ///< by default that of the points
  std::vector<ChartPanel> panels{};                    ///< if there are some: drawn side by side instead of `series`
  std::vector<std::string> y_categories{};  ///< if there are some: the names of y = 0, 1, ... from above to below
  std::vector<ChartLabel> labels{};         ///< at most as many as y_categories
  std::string corner{};                     ///< what was computed and how, in the upper left corner
};

/// The figure as an <svg> element that can be in a page or in a file of its own. Points that are not finite are left
/// out, and break a line.
html::Html svg_chart(const Chart& chart);

}  // namespace touchstone::formats::svg
