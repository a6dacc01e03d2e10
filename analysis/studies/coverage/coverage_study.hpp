#pragma once

#include "analysis/studies/study.hpp"

/// How much of the evidence pools of systems find, and how much evidence the judgments lack.
/// Source: D-MERIT, R. Rassin et al., "Evaluating D-MERIT of Partial-annotation on Information Retrieval", 2024,
/// section 2.4 and appendix E.
namespace touchstone::analysis::studies::coverage {

Study coverage_study();

}  // namespace touchstone::analysis::studies::coverage
