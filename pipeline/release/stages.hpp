#pragma once

#include "pipeline/flow/stage.hpp"

#include <string_view>

namespace touchstone::pipeline::release {

// The rows of this room's stages in the stage table.

/// The collection directory: topics, corpus, labels and what they were made from.
flow::StageInfo export_stage();
/// The report about the collection.
flow::StageInfo report_stage();

}  // namespace touchstone::pipeline::release
