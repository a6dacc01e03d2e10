#pragma once

#include "collection/collection_numbers.hpp"
#include "collection/report/report_data.hpp"
#include "formats/html/html.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// The charts of the report page, as HTML and inline SVG that need no script.
namespace touchstone::collection::report::internal {

using formats::html::Html;

/// Evidence per topic by number of members: a table with bars.
Html bucket_table(const CollectionNumbers& numbers);

/// What a histogram of counts is about.
struct CountHistogramTexts {
  std::string values;  ///< "evidence passages": what is counted for each item
  std::string items;   ///< "topics"
};

/// How many items have how much of something. \pre the highest value is at most some 10^6 bins of the chosen width
Html count_histogram(const std::map<std::uint64_t, std::uint64_t>& items_by_value, const CountHistogramTexts& texts);

/// A table with a name, further cells and a bar in each row.
struct BarRow {
  Html name;
  std::vector<Html> cells;  ///< between name and bar
  std::uint64_t value = 0;
};
/// \param columns  those of the name, of the cells and of the bar
Html bar_rows_table(const std::vector<std::string>& columns, const std::vector<BarRow>& rows);

/// How many topics have how much evidence.
Html evidence_histogram(const std::vector<std::uint64_t>& evidence_per_topic);

/// Judgments by the probability of yes, yes on top of no.
Html probability_histogram(const std::array<std::array<std::uint64_t, 2>, kProbabilityBins>& probabilities);

}  // namespace touchstone::collection::report::internal
