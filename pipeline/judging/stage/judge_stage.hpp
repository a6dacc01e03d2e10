#pragma once

#include "pipeline/flow/stage.hpp"

namespace touchstone::pipeline::judging::stage {

/// The row of the judge stage in the stage table: grades for (topic, member, passage).
flow::StageInfo judge_stage();

}  // namespace touchstone::pipeline::judging::stage
