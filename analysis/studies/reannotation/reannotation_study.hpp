#pragma once

#include "analysis/studies/study.hpp"

namespace touchstone::analysis::studies::reannotation {

/// The study of what other assessors would change.
/// Source: "Variations in Relevance Judgments and the Shelf Life of Test Collections" (2025).
Study reannotation_study();

}  // namespace touchstone::analysis::studies::reannotation
