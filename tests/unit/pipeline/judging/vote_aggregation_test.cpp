#include "pipeline/judging/vote_aggregation.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging {
namespace {

using llm_client::JudgeAnswer;

JudgeAnswer graded(int grade, std::optional<double> probability = std::nullopt) {
  JudgeAnswer answer;
  answer.state = JudgmentState::kJudged;
  answer.grade = grade;
  answer.probability = probability;
  return answer;
}

JudgeAnswer ungraded(JudgmentState state, const std::string& reason = "") {
  JudgeAnswer answer;
  answer.state = state;
  answer.reason = reason;
  return answer;
}

JudgeAnswer vote(const std::vector<JudgeAnswer>& answers, TieRule tie = TieRule::kLowest,
                 VoteProbability probability = VoteProbability::kMeanOfVoters) {
  std::vector<const JudgeAnswer*> pointers;
  for (const auto& answer : answers) pointers.push_back(&answer);
  return aggregate_votes(pointers, tie, probability);
}

TEST(VoteAggregation, ALoneAnswerIsReturnedAsItIs) {
  auto lone = graded(2, 0.123456);
  lone.reason = "because";
  const auto result = vote({lone});
  EXPECT_EQ(result.grade, 2);
  EXPECT_EQ(result.probability, 0.123456);
  EXPECT_EQ(result.reason, "because");
}

TEST(VoteAggregation, AnswersWithoutAGradeHaveNoVote) {
  const auto result = vote({ungraded(JudgmentState::kFailed), graded(1), ungraded(JudgmentState::kRefused)});
  EXPECT_EQ(result.state, JudgmentState::kJudged);
  EXPECT_EQ(result.grade, 1);
}

TEST(VoteAggregation, WithoutAnyGradeTheFirstSaysWhy) {
  const auto result = vote({ungraded(JudgmentState::kRefused, "declined"), ungraded(JudgmentState::kFailed)});
  EXPECT_EQ(result.state, JudgmentState::kRefused);
  EXPECT_EQ(result.reason, "declined");
  EXPECT_FALSE(result.grade);
}

TEST(VoteAggregation, ATieGoesByTheRule) {
  EXPECT_EQ(vote({graded(0), graded(1)}, TieRule::kLowest).grade, 0);
  EXPECT_EQ(vote({graded(0), graded(1)}, TieRule::kHighest).grade, 1);
  const auto tied = vote({graded(0, 0.2), graded(1, 0.8)}, TieRule::kNone);
  EXPECT_EQ(tied.state, JudgmentState::kTied);
  EXPECT_FALSE(tied.grade);
  EXPECT_FALSE(tied.probability);
  EXPECT_NE(tied.reason, "");
}

TEST(VoteAggregation, JudgesProbabilitiesAreAveragedWhenAllHaveOne) {
  EXPECT_EQ(vote({graded(1, 0.9), graded(1, 0.6), graded(0, 0.3)}).probability, 0.6);
  EXPECT_EQ(vote({graded(1, 0.9), graded(1), graded(0, 0.3)}).probability, 0.6667) << "the share of yes";
}

TEST(VoteAggregation, TheProbabilityOfSamplesIsTheShareOfYes) {
  EXPECT_EQ(vote({graded(1, 0.9), graded(3, 0.6), graded(0, 0.3), graded(0, 0.1)}, TieRule::kLowest,
                 VoteProbability::kShareOfYes)
                .probability,
            0.5);
}

TEST(VoteAggregation, YesBeginsWithTheLowestGradeOfEvidence) {
  auto low = graded(1), high = graded(2);
  low.spans = {{0, 4}};
  high.spans = {{5, 8}};
  const std::vector<const JudgeAnswer*> answers = {&low, &high};
  const auto at = [&](int evidence_grade) {
    return aggregate_votes(answers, TieRule::kHighest, VoteProbability::kShareOfYes, evidence_grade);
  };
  EXPECT_EQ(at(1).probability, 1);
  EXPECT_EQ(at(2).probability, 0.5);
  EXPECT_EQ(at(3).probability, 0);
  EXPECT_EQ(at(2).spans, (decltype(JudgeAnswer::spans){{5, 8}}));
}

TEST(VoteAggregation, SpansAreThoseOfTheWinnersSideMerged) {
  auto yes = graded(1), also_yes = graded(2), no = graded(0);
  yes.spans = {{0, 4}};
  also_yes.spans = {{3, 8}};
  no.spans = {{20, 30}};
  yes.quotes_not_found = 1;
  no.quotes_not_found = 2;
  const auto result = vote({yes, also_yes, no}, TieRule::kHighest);
  EXPECT_EQ(result.grade, 2);
  EXPECT_EQ(result.spans, (decltype(result.spans){{0, 8}}));
  EXPECT_EQ(result.quotes_not_found, 3U);
}

}  // namespace
}  // namespace touchstone::pipeline::judging
