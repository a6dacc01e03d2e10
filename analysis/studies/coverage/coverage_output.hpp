#pragma once

#include "analysis/studies/coverage/coverage_numbers.hpp"
#include "analysis/studies/study_output.hpp"

#include <optional>

namespace touchstone::analysis::studies::coverage {

/// Adds tables, figures, findings and the fields of JSON. Pure.
void add_coverage_output(StudyOutput& output, const CoverageNumbers& numbers, const CoveragePlan& plan,
                         const std::optional<NewEvidence>& added, const std::optional<HumanSample>& sample);

}  // namespace touchstone::analysis::studies::coverage
