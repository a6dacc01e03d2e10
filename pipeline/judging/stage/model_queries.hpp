#pragma once

#include "pipeline/evidence/query_writer.hpp"

namespace touchstone::pipeline::judging::stage {

/// Queries by the judge's model, asked through the same transport and log as judgments.
evidence::ModelQueries model_queries();

}  // namespace touchstone::pipeline::judging::stage
