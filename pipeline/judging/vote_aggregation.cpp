#include "pipeline/judging/vote_aggregation.hpp"

#include "llm_client/prompts/quotes.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace touchstone::pipeline::judging {

using llm_client::JudgeAnswer;

JudgeAnswer aggregate_votes(const std::vector<const JudgeAnswer*>& answers, TieRule tie, VoteProbability probability,
                            int evidence_grade) {
  if (answers.size() == 1) return *answers.front();
  JudgeAnswer result;
  std::vector<int> grades;
  double positive = 0, sum = 0;
  std::size_t with_probability = 0;
  for (const auto* answer : answers) {
    result.quotes_not_found += answer->quotes_not_found;
    result.contradicted += answer->contradicted;
    if (!answer->grade) continue;
    grades.push_back(*answer->grade);
    positive += *answer->grade >= evidence_grade ? 1 : 0;
    if (answer->probability) sum += *answer->probability, ++with_probability;
  }
  if (grades.empty()) {
    result.state = answers.front()->state;
    result.reason = answers.front()->reason;
    result.reply = answers.front()->reply;
    return result;
  }
  result.grade = majority_grade(grades, tie);
  if (!result.grade) {
    result.state = JudgmentState::kTied;
    result.reason = "as many votes for one grade as for another";
    return result;
  }
  result.state = JudgmentState::kJudged;
  const bool all_have_one = with_probability == grades.size();
  const double votes = probability == VoteProbability::kMeanOfVoters && all_have_one ? sum : positive;
  result.probability = std::round(1e4 * votes / static_cast<double>(grades.size())) / 1e4;
  for (const auto* answer : answers) {
    if (result.reason.empty() && answer->grade == result.grade) result.reason = answer->reason;
    if (answer->grade && (*answer->grade >= evidence_grade) == (*result.grade >= evidence_grade))
      result.spans.insert(result.spans.end(), answer->spans.begin(), answer->spans.end());
  }
  result.spans = llm_client::prompts::merge_spans(std::move(result.spans));
  return result;
}

}  // namespace touchstone::pipeline::judging
