#pragma once

#include "common/candidate_source.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace touchstone::pipeline::survey {

/// What one source of candidates brings, by trial.
struct SourceTrial {
  std::uint64_t questions = 0;  ///< candidates that only this source and weaker ones propose
  std::uint64_t evidence = 0;   ///< those of them that the judge says are evidence
  double probability_sum = 0;   ///< of the evidence: what the judge expects to be right

  /// Share of the evidence that is expected to be right, 0 to 1; 0 without evidence.
  double expected_precision() const noexcept;
  /// True if the source adds five passages or more, these are expected to read right at .85, and they take no more
  /// questions than a budget.
  bool is_worthwhile(std::uint64_t budget) const noexcept;
};
using SourceTrials = std::map<CandidateSource, SourceTrial>;

/// The questions that a further source may take: as many as own articles and links take.
std::uint64_t budget_of(const SourceTrials& trials);

/// Adds up a trial's judgments by source. Throws FormatError for a damaged line.
SourceTrials count_sources(const std::filesystem::path& judgments);

/// Rewrites a file of judgments with those whose source is not one of `left_out`.
void drop_sources(const std::filesystem::path& judgments, const std::vector<CandidateSource>& left_out);

}  // namespace touchstone::pipeline::survey
