#pragma once

#include "formats/html/html.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::formats::svg {

/// One column of a histogram: parts from below to above.
struct Column {
  std::string label;  ///< under the column; may be empty
  std::string tooltip;
  std::vector<std::uint64_t> parts;
};

struct HistogramTexts {
  std::string_view title;  ///< for those who do not see the picture
  std::string x, y;        ///< what the axes show
};

/// The histogram as an <svg> element. The page that it is in gives colours and letters to its classes.
/// \param labels_at_edges  labels name the left edges of their columns, and the last edge is 1; else they name columns
html::Html svg_histogram(const std::vector<Column>& columns, const HistogramTexts& texts, bool labels_at_edges);

/// Width of histogram bins, of the series 1, 2, 5, 10, ..., such that `max` needs at most `max_bins`.
std::uint64_t bin_width(std::uint64_t max, std::uint64_t max_bins);

}  // namespace touchstone::formats::svg
