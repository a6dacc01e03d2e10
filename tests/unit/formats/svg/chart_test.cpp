#include "formats/svg/chart.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::formats::svg {
namespace {

/// The number behind the first `name="` after `from`.
double attribute(const std::string& text, const std::string& name, std::size_t from) {
  return std::stod(text.substr(text.find(" " + name + "=\"", from) + name.size() + 3));
}

TEST(SvgChart, CategoriesOfTheYAxisGoFromAboveToBelow) {
  Chart chart;
  chart.series = {{"cells", {{0, 0}, {0, 1}}, false, false, true, "#123456"}};
  chart.categories = {"column"};
  chart.y_categories = {"above", "below"};
  const auto svg = svg_chart(chart).markup();
  const auto first = svg.find("<rect"), second = svg.find("<rect", first + 1);
  EXPECT_LT(attribute(svg, "y", first), attribute(svg, "y", second));
  EXPECT_NEAR(attribute(svg, "y", first) + attribute(svg, "height", first), attribute(svg, "y", second), 0.11)
      << "cells fill the plot";
  EXPECT_LT(svg.find(">above<"), svg.find(">below<"));
  EXPECT_NE(svg.find("fill=\"#123456\""), std::string::npos);
}

TEST(SvgChart, IsAsWideAsTheNamesOfItsCategoriesNeed) {
  Chart chart;
  chart.series = {{"points", {{0, 1}}, false}};
  for (int i = 0; i < 200; ++i) chart.categories.push_back("name " + std::to_string(i));
  const auto svg = svg_chart(chart).markup();
  EXPECT_GE(attribute(svg, "width", 0), 200 * 14);
}

TEST(SvgChart, ATitleThatIsLongerThanItsAxisEndsWhereTheAxisEnds) {
  Chart chart;
  chart.series = {{"points", {{0, 1}, {1, 2}}, false}};
  chart.y_axis = "short";
  EXPECT_NE(svg_chart(chart).markup().find("text-anchor=\"middle\" transform=\"rotate(-90 16"), std::string::npos);
  chart.y_axis = std::string(80, 'x');
  const auto svg = svg_chart(chart).markup();
  const auto title = svg.rfind("<text", svg.find(chart.y_axis));
  EXPECT_NE(svg.find("text-anchor=\"end\"", title), std::string::npos);
  EXPECT_EQ(attribute(svg, "y", title), 16) << "the top of the plot";
}

TEST(SvgChart, PointsThatAreNotFiniteAreLeftOut) {
  Chart chart;
  chart.series = {{"points", {{0, 1}, {1, std::numeric_limits<double>::quiet_NaN()}}, false}};
  const auto svg = svg_chart(chart).markup();
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::formats::svg
