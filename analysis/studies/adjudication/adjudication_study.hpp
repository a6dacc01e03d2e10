#pragma once

#include "analysis/studies/adjudication/trials.hpp"
#include "analysis/studies/study_output.hpp"

#include <vector>

/// What labels that were chosen by an adjudication method would say about systems.
/// Source: D. Otero, J. Parapar, N. Ferro, "How Discriminative Are Your Qrels?", CIKM 2023, sections 3 to 5.
namespace touchstone::analysis::studies::adjudication {

/// The results of one measure.
struct MeasureResults {
  std::string measure;
  std::size_t pairs = 0, significant = 0;  ///< by the gold labels
  std::vector<MethodTrials> methods;
};

/// What all measures share.
struct GoldCounts {
  std::size_t judged = 0, relevant = 0;
};

/// The study's findings, tables, charts and JSON fields; facts are left to the caller.
StudyOutput describe(const GoldCounts& gold, std::vector<MeasureResults> results);

}  // namespace touchstone::analysis::studies::adjudication
