#pragma once

#include "pipeline/evidence/query_writer.hpp"
#include "pipeline/flow/stage.hpp"

namespace touchstone::pipeline::evidence {

// The rows of this room's stages in the stage table.

/// List tables and lists, and the members they name.
flow::StageInfo groups_stage();
/// Passages that link to each member.
flow::StageInfo candidates_stage();
/// Topics in the words of a search user.
/// \param model  who words them where phrase.source is "judge"
flow::StageInfo phrase_stage(const ModelQueries& model);

}  // namespace touchstone::pipeline::evidence
