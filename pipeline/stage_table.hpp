#pragma once

#include "pipeline/flow/stage_graph.hpp"

namespace touchstone::pipeline {

/// All stages and targets of the program. The runner, the commands, help, docs and tests read it.
const flow::StageGraph& stage_graph();

/// The target of a build that names none.
std::string_view default_target();

}  // namespace touchstone::pipeline
