#pragma once

#include "analysis/votes/majority.hpp"
#include "llm_client/judge_answer.hpp"

#include <cstdint>
#include <vector>

namespace touchstone::pipeline::judging {

using analysis::votes::majority_grade;
using analysis::votes::TieRule;

/// Where the probability of an aggregated answer comes from.
enum class VoteProbability : std::uint8_t {
  kShareOfYes,   ///< the share of voters that said yes: for samples of one judge
  kMeanOfVoters  ///< the mean of the voters' probabilities where all have one, else the share of yes: for judges
};

/// One answer out of several; a lone one is returned as it is. Those without a grade have no vote. When none has a
/// grade, the first answer says why. Spans are those of the voters on the winner's side of yes and no. Pure.
/// \param evidence_grade  lowest grade that is yes
/// \pre not empty
llm_client::JudgeAnswer aggregate_votes(const std::vector<const llm_client::JudgeAnswer*>& answers, TieRule tie,
                                        VoteProbability probability, int evidence_grade = 1);

}  // namespace touchstone::pipeline::judging
