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

/// How many topics have how much evidence.
Html evidence_histogram(const std::vector<std::uint64_t>& evidence_per_topic);

/// Judgments by the probability of yes, yes on top of no.
Html probability_histogram(const std::array<std::array<std::uint64_t, 2>, kProbabilityBins>& probabilities);

/// What was left out, by reason: a table with bars.
Html discarded_table(const std::map<std::string, std::uint64_t>& discarded);

/// Width of histogram bins, of the series 1, 2, 5, 10, ..., such that `max` needs at most `max_bins`.
std::uint64_t bin_width(std::uint64_t max, std::uint64_t max_bins);

}  // namespace touchstone::collection::report::internal
