#pragma once

#include "analysis/studies/study_output.hpp"
#include "pipeline/difference/label_effect.hpp"

#include <optional>

namespace touchstone::pipeline::difference {

/// The comparison as findings in words, tables and figures, in the form of a study.
/// \param effect  what the labels change for systems, if runs were given
analysis::studies::StudyOutput difference_output(const Comparison& comparison,
                                                 const std::optional<LabelEffect>& effect);

}  // namespace touchstone::pipeline::difference
