#pragma once

#include "collection/report/report_data.hpp"
#include "formats/html/html.hpp"

#include <string>

/// The topics of the report page.
namespace touchstone::collection::report::internal {

/// The topics as everyone sees them, with or without scripts, by list and column. report.js fills a topic's body when
/// it is opened.
formats::html::Html topic_list(const ReportData& data);

/// What the page does not show for want of room; empty if it shows everything.
formats::html::Html left_out_note(const ReportData& data);

/// The members, passages and judgments that report.js shows.
std::string topics_json(const ReportData& data);

}  // namespace touchstone::collection::report::internal
