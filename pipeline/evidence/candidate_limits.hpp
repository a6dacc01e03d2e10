#pragma once

#include "pipeline/evidence/candidate_options.hpp"
#include "pipeline/evidence/evidence_records.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::evidence {

/// Candidates that were left out of topics because of a limit.
struct CandidateCuts {
  std::uint64_t of_members = 0;        ///< candidates.max_per_member
  std::uint64_t added_to_members = 0;  ///< candidates.max_added_per_member
  std::uint64_t added_to_topics = 0;   ///< candidates.max_added_per_topic
};

/// Cuts the candidates of a topic down to the limits, weakest sources first and then the highest docids. The surplus of
/// a topic is taken from the members to which most was added.
void limit_candidates(TopicCandidates& topic, const CandidatesOptions& options, CandidateCuts& cuts);

/// How many each of `counts` may keep so that they sum up to `most` at most, and the largest lose first. Where the rest
/// cannot be shared evenly, the first ones keep one more.
std::vector<std::uint64_t> shares_of(const std::vector<std::uint64_t>& counts, std::uint64_t most);

}  // namespace touchstone::pipeline::evidence
