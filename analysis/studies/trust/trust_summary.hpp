#pragma once

#include "analysis/studies/study_output.hpp"
#include "analysis/studies/trust/trust_numbers.hpp"

#include <span>
#include <string>
#include <vector>

namespace touchstone::analysis::studies::trust {

/// A study that could not run with what was given.
struct LeftOutStudy {
  std::string study;
  std::string reason;  ///< what is missing, and what to give
};

/// Where the judgments and runs came from.
struct TrustSources {
  std::string collection, qrels;
  std::vector<std::string> runs;
  bool runs_are_baselines = false;  ///< the program's own systems answered, because no run was given
};

/// The answer with its verdict; then topics, unjudged documents and assessors as facts; then what would help most.
/// \param studies  what the studies found: those that compare labels of several assessors speak about assessors. Pure.
std::vector<Finding> trust_findings(const TrustNumbers& numbers, std::span<const StudyOutput> studies);

/// The first page of the report: which pairs of systems the labels tell apart, what limits this, and what would help
/// most; the leaderboard, the pairs and the strata of unjudged documents as tables. What the studies found are notes,
/// because each answers a question of its own. Pure.
StudyOutput summarize(const TrustSources& sources, const TrustNumbers& numbers, std::span<const StudyOutput> outputs,
                      std::span<const LeftOutStudy> left_out);

/// All findings of all studies, a row each: study, verdict, statement, threshold.
StudyTable findings_table(std::span<const StudyOutput> outputs);

}  // namespace touchstone::analysis::studies::trust
