#pragma once

#include "pipeline/flow/stage.hpp"

#include <string_view>

namespace touchstone::pipeline::automatic {

// The rows of this room's stages in the stage table.

/// The articles as pages of TREC CAR.
flow::StageInfo pages_stage();
/// Near-duplicates among the paragraphs of all pages.
flow::StageInfo paragraphs_stage();
/// Which pages are query pages.
flow::StageInfo facets_stage();
/// The texts of links to each page.
flow::StageInfo anchors_stage();
/// The collection directory.
flow::StageInfo export_automatic_stage();
/// The report about the collection.
flow::StageInfo report_automatic_stage();

}  // namespace touchstone::pipeline::automatic
