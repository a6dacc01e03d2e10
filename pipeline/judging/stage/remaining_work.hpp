#pragma once

#include "pipeline/flow/stage.hpp"
#include "pipeline/judging/judge.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace touchstone::pipeline::judging::stage {

/// What is still to be asked, for --dry-run.
struct RemainingWork {
  std::uint64_t judgments = 0, known = 0;
  std::map<std::string, RequestEstimate> topics;  ///< by the topic's structured name
  RequestEstimate all;
  bool priced = false;            ///< what some judge's tokens cost is known
  bool first_judge_only = false;  ///< a cascade: what the others will be asked depends on the first one's answers
};

/// Looks into the log and counts; asks a server's tokenizer where there is one. Sends nothing that costs.
RemainingWork remaining_work(const flow::WorkView& view);

}  // namespace touchstone::pipeline::judging::stage
