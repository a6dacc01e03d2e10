#pragma once

#include "analysis/studies/adjudication/trials.hpp"
#include "analysis/studies/study_output.hpp"

#include <vector>

namespace touchstone::analysis::studies::adjudication {

/// The results of one measure.
struct MeasureResults {
  std::string measure;
  std::size_t pairs = 0, significant = 0;  ///< by the gold labels
  std::vector<MethodTrials> methods;
};

/// What all measures share.
struct GoldCounts {
  std::size_t judged = 0, relevant = 0, topics = 0, systems = 0, pool_depth = 0;
};

/// The study's findings, tables, charts and JSON fields; facts are left to the caller.
StudyOutput describe(const GoldCounts& gold, std::vector<MeasureResults> results);

}  // namespace touchstone::analysis::studies::adjudication
