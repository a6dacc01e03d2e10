#pragma once

#include "common/candidate_source.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>

namespace touchstone::pipeline::survey {

/// What one source of candidates brings, by trial.
struct SourceTrial {
  std::uint64_t questions = 0;  ///< candidates that only this source and weaker ones propose
  bool judged = false;          ///< false: they were too many to be judged
  std::uint64_t evidence = 0;   ///< those of them that the judge says are evidence
  double probability_sum = 0;   ///< of the evidence: what the judge expects to be right

  /// Share of the evidence that is expected to be right, 0 to 1; 0 without evidence.
  double expected_precision() const noexcept;
  /// True if the source adds five passages or more, and these are expected to read right at .85.
  bool is_worthwhile() const noexcept;
};
using SourceTrials = std::map<CandidateSource, SourceTrial>;

/// Counts the questions of each source in a file of candidates. Throws FormatError for a damaged line.
SourceTrials count_questions(const std::filesystem::path& candidates);

/// The further sources that take more questions each than own articles and links together.
std::set<CandidateSource> too_expensive(const SourceTrials& trials);

/// Adds what was judged to the counts. Throws FormatError for a damaged line.
void count_evidence(const std::filesystem::path& judgments, SourceTrials& trials);

/// Rewrite a file without what these sources propose. Throw FormatError for a damaged line.
void drop_candidates(const std::filesystem::path& candidates, const std::set<CandidateSource>& sources);
void drop_judgments(const std::filesystem::path& judgments, const std::set<CandidateSource>& sources);

}  // namespace touchstone::pipeline::survey
