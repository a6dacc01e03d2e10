#pragma once

#include "pipeline/flow/stage.hpp"

#include <string_view>

namespace touchstone::pipeline::release {

/// The collection directory.
inline constexpr std::string_view kCollectionFolder = "collection";
/// The file of the collection that describes it.
inline constexpr std::string_view kManifestFile = "collection/manifest.json";
/// The page that describes it.
inline constexpr std::string_view kReportFile = "report.html";
/// The pages of its topics, to which the page leads.
inline constexpr std::string_view kReportFolder = "report";

// The rows of this room's stages in the stage table.

/// The collection directory: topics, corpus, labels and what they were made from.
flow::StageInfo export_stage();
/// The report about the collection.
flow::StageInfo report_stage();

}  // namespace touchstone::pipeline::release
