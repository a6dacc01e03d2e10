#pragma once

#include "collection/evidence/collection_info.hpp"
#include "collection/evidence/collection_numbers.hpp"
#include "collection/evidence/report/report_data.hpp"
#include "formats/html/html.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The parts of the report page that describe the collection as a whole.
namespace touchstone::collection::evidence::report::internal {

using formats::html::Html;

/// The most important numbers, large.
Html tiles(const CollectionNumbers& numbers);

/// The numbers beside those of the D-MERIT paper (section 2.6).
Html paper_table(const CollectionNumbers& numbers);

Html judgment_counts(const ReportData& data);

/// Where the collection comes from, as a list of names and values.
Html facts(const ReportData& data);

/// What each source of candidates gave, and what share of it the judge confirmed; empty if no judgment names a source.
Html source_section(const CollectionNumbers& numbers);
/// What became of the labels of the collection before; empty where nothing is known of one.
Html history_section(const CollectionNumbers& numbers);

/// On judging by language models: who judged, grades, what was not judged and why, tokens, cost and latency. Empty for
/// empty `json`. Throws FormatError if `json` is not what the judge stage writes.
Html judging_section(std::string_view json);

/// What people found about the judge: numbers, strata and ranges of the probability. Empty without an audit.
Html audit_section(const CollectionInfo& info);

/// What the build says of itself in manifest.json, folded away; empty if it says nothing.
Html build_details(const CollectionInfo& info);

/// How many topics of how many lists there are, and what a click shows.
Html topics_lead(const ReportData& data);

/// What was left out, by reason: a table with bars. The reasons lead to the rows.
/// \param places  of the reasons in the folder at `folder`
Html left_out_table(const std::map<std::string, std::uint64_t>& counts,
                    const std::map<std::string, std::string>& places, std::string_view folder);

/// Evidence per topic by number of members: a table with bars.
Html bucket_table(const CollectionNumbers& numbers);

/// How many topics have how much evidence.
Html evidence_histogram(const std::vector<std::uint64_t>& evidence_per_topic);

/// Judgments by the probability of yes, yes on top of no.
Html probability_histogram(const std::array<std::array<std::uint64_t, 2>, kProbabilityBins>& probabilities);

}  // namespace touchstone::collection::evidence::report::internal
