#pragma once

#include "pipeline/flow/stage.hpp"

namespace touchstone::pipeline::passages {

/// Finds sentences that recur on many pages.
flow::StageInfo boilerplate_stage();

/// Composes the passages of all articles, and finds those that repeat others.
flow::StageInfo passages_stage();

}  // namespace touchstone::pipeline::passages
