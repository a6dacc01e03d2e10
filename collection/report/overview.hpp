#pragma once

#include "collection/collection_info.hpp"
#include "collection/collection_numbers.hpp"
#include "collection/report/report_data.hpp"
#include "formats/html/html.hpp"

/// The parts of the report page that describe the collection as a whole.
namespace touchstone::collection::report::internal {

using formats::html::Html;

/// The most important numbers, large.
Html tiles(const CollectionNumbers& numbers);

/// Members and evidence a topic: mean, median, range.
Html spreads(const CollectionNumbers& numbers);

Html judgment_counts(const ReportData& data);

/// Where the collection comes from, as a list of names and values.
Html facts(const ReportData& data);

/// What the build says of itself in manifest.json, folded away; empty if it says nothing.
Html build_details(const CollectionInfo& info);

/// Everything that was left out, folded away; empty if nothing was.
Html discarded_list(const ReportData& data);

}  // namespace touchstone::collection::report::internal
