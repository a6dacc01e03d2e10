#pragma once

#include "pipeline/flow/stage.hpp"

namespace touchstone::pipeline::corpus {

// The rows of this room's stages in the stage table.

/// Pages into the store: titles, outlines, paragraphs with links, tables.
flow::StageInfo ingest_stage();
/// Links resolved and inverted.
flow::StageInfo link_stage();

}  // namespace touchstone::pipeline::corpus
