#pragma once

#include "analysis/studies/leaderboards/leaderboard_numbers.hpp"
#include "analysis/studies/study_output.hpp"

#include <vector>

namespace touchstone::analysis::studies::leaderboards {

/// Adds findings, tables, figures and JSON fields. Pure.
void add_leaderboards_output(StudyOutput& output, const std::vector<BoardComparison>& boards,
                             const LabelAgreement& labels);

}  // namespace touchstone::analysis::studies::leaderboards
