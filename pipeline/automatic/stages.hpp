#pragma once

#include "pipeline/flow/stage.hpp"

#include <string_view>

namespace touchstone::pipeline::automatic {

/// The articles as pages of TREC CAR: files of records (page_composer.hpp), ascending by page.
inline constexpr std::string_view kPagesFolder = "stages/pages";
/// Paragraphs that another one stands for (collection/automatic/near_duplicates.hpp).
inline constexpr std::string_view kNearDuplicatesFile = "stages/near_duplicates.tsv";
/// The pages that were chosen, as records (query_pages.hpp), ascending by page.
inline constexpr std::string_view kQueryPagesFile = "stages/query_pages.records";
/// How many pages each rule leaves out, as JSON.
inline constexpr std::string_view kSelectionFile = "stages/selection.json";
/// The same as a table for people.
inline constexpr std::string_view kSelectionTable = "stages/selection.txt";
/// Topics and headings for a person to keep, drop or reword.
inline constexpr std::string_view kReviewFile = "automatic-review.tsv";
/// The collection directory.
inline constexpr std::string_view kAutomaticFolder = "automatic";
inline constexpr std::string_view kAutomaticManifest = "automatic/manifest.json";
/// The page that describes it, and the folder of pages on which one browses its topics.
inline constexpr std::string_view kAutomaticReportFile = "automatic-report.html";
inline constexpr std::string_view kAutomaticReportFolder = "automatic-report";

// The rows of this room's stages in the stage table.

/// The articles as pages of TREC CAR.
flow::StageInfo pages_stage();
/// Near-duplicates among the paragraphs of all pages.
flow::StageInfo paragraphs_stage();
/// Which pages are query pages.
flow::StageInfo facets_stage();
/// The collection directory.
flow::StageInfo export_automatic_stage();
/// The report about the collection.
flow::StageInfo report_automatic_stage();

}  // namespace touchstone::pipeline::automatic
