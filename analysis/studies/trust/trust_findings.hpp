#pragma once

#include "analysis/studies/study_output.hpp"
#include "analysis/studies/trust/trust_numbers.hpp"

#include <span>
#include <vector>

/// What the numbers say, in sentences.
namespace touchstone::analysis::studies::trust {

/// The answer with its verdict; then topics, unjudged documents and assessors as facts; then what would help most.
/// \param studies  what the studies found: those that compare labels of several assessors speak about assessors. Pure.
std::vector<Finding> trust_findings(const TrustNumbers& numbers, std::span<const StudyOutput> studies);

}  // namespace touchstone::analysis::studies::trust
