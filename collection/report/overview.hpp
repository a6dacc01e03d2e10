#pragma once

#include "collection/collection_info.hpp"
#include "collection/collection_numbers.hpp"
#include "collection/report/report_data.hpp"
#include "formats/html/html.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

/// The parts of the report page that describe the collection as a whole.
namespace touchstone::collection::report::internal {

using formats::html::Html;

/// The most important numbers, large.
Html tiles(const CollectionNumbers& numbers);

/// The numbers beside those of the D-MERIT paper (section 2.6).
Html paper_table(const CollectionNumbers& numbers);

Html judgment_counts(const ReportData& data);

/// Where the collection comes from, as a list of names and values.
Html facts(const ReportData& data);

/// What the build says of itself in manifest.json, folded away; empty if it says nothing.
Html build_details(const CollectionInfo& info);

/// How many topics of how many lists there are, and what a click shows.
Html topics_lead(const ReportData& data);

/// What was left out, by reason: a table with bars. The reasons lead to the rows.
/// \param places  of the reasons in the folder at `folder`
Html left_out_table(const std::map<std::string, std::uint64_t>& counts,
                    const std::map<std::string, std::string>& places, std::string_view folder);

}  // namespace touchstone::collection::report::internal
