#pragma once

#include "common/options.hpp"
#include "llm_client/judge_answer.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace touchstone {
namespace pipeline::judging {

/// Which of the grades that share the most votes wins.
enum class TieRule : std::uint8_t { kLowest, kHighest, kNone };

/// The grade that most voters gave. `rule` decides when several grades have as many; nothing without voters, or with a
/// tie under kNone. Pure.
/// Source: FiRA's vote takes the unique mode, else the highest (Hofstätter et al., CIKM 2020); other tools the lowest.
std::optional<int> majority_grade(std::span<const int> grades, TieRule rule);

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

}  // namespace pipeline::judging

template <>
struct Choices<pipeline::judging::TieRule> {
  static constexpr Choice<pipeline::judging::TieRule> table[] = {{"lowest", pipeline::judging::TieRule::kLowest},
                                                                 {"highest", pipeline::judging::TieRule::kHighest},
                                                                 {"none", pipeline::judging::TieRule::kNone}};
};

}  // namespace touchstone
