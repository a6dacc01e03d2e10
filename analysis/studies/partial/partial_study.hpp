#pragma once

#include "analysis/studies/study.hpp"

/// How much the ranking of systems changes when only part of the evidence is labelled.
/// Source: D-MERIT, R. Rassin et al., "Evaluating D-MERIT of Partial-annotation on Information Retrieval", 2024,
/// section 3, appendices D and F.
namespace touchstone::analysis::studies::partial {

Study partial_study();

}  // namespace touchstone::analysis::studies::partial
