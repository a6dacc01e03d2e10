#include "analysis/measures/answer_scores.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::measures {
namespace {

double value(const AnswerValues& values, AnswerMeasure measure) {
  return values[static_cast<std::size_t>(measure)];
}

const AnswerMean& mean(const AnswerScores& scores, AnswerMeasure measure) {
  return scores.means[static_cast<std::size_t>(measure)];
}

/// Three of four members, one of them unsupported, and two other pages, one of them listed.
const TopicAnswer kMixed{.topic = "a",
                         .stated = {"A", "B", "C"},
                         .missing = {"D"},
                         .unsupported = {"C"},
                         .others = {"X", "Y"},
                         .listed_others = 1,
                         .nameless = 2,
                         .citations = 5,
                         .citations_evidence = 2};
const TopicAnswer kSilent{.topic = "b", .missing = {"D", "E"}};

TEST(AnswerScores, AreSharesOfMembersPagesAndCitations) {
  const auto scores = score_answers({kMixed});
  const auto& values = scores.topics.at(0);
  EXPECT_DOUBLE_EQ(value(values, AnswerMeasure::kRecall), 3.0 / 4);
  EXPECT_DOUBLE_EQ(value(values, AnswerMeasure::kPrecision), 3.0 / 5);
  EXPECT_DOUBLE_EQ(value(values, AnswerMeasure::kF1), 2 * 0.75 * 0.6 / (0.75 + 0.6));
  EXPECT_DOUBLE_EQ(value(values, AnswerMeasure::kListedPrecision), 3.0 / 4);
  EXPECT_DOUBLE_EQ(value(values, AnswerMeasure::kSupported), 2.0 / 3);
  EXPECT_DOUBLE_EQ(value(values, AnswerMeasure::kCitationPrecision), 2.0 / 5);
  EXPECT_EQ(value(values, AnswerMeasure::kMembers), 4);
  EXPECT_EQ(value(values, AnswerMeasure::kOthers), 2);
  EXPECT_EQ(value(values, AnswerMeasure::kNameless), 2);
}

TEST(AnswerScores, OfAnAnswerThatStatesNothingAreZeroOrMissing) {
  const auto scores = score_answers({kSilent});
  const auto& values = scores.topics.at(0);
  EXPECT_EQ(value(values, AnswerMeasure::kRecall), 0);
  EXPECT_EQ(value(values, AnswerMeasure::kPrecision), 0);
  EXPECT_EQ(value(values, AnswerMeasure::kF1), 0);
  EXPECT_TRUE(std::isnan(value(values, AnswerMeasure::kSupported)));
  EXPECT_TRUE(std::isnan(value(values, AnswerMeasure::kCitationPrecision)));
}

TEST(AnswerScores, MeansAreOverTopicsWithAValueAndCountsAreSums) {
  const auto scores = score_answers({kMixed, kSilent});
  EXPECT_DOUBLE_EQ(mean(scores, AnswerMeasure::kRecall).value, 0.375);
  EXPECT_DOUBLE_EQ(mean(scores, AnswerMeasure::kRecall).low, 0);
  EXPECT_DOUBLE_EQ(mean(scores, AnswerMeasure::kRecall).high, 0.75);
  EXPECT_DOUBLE_EQ(mean(scores, AnswerMeasure::kSupported).value, 2.0 / 3);
  EXPECT_TRUE(std::isnan(mean(scores, AnswerMeasure::kSupported).low));
  EXPECT_EQ(mean(scores, AnswerMeasure::kMembers).value, 6);
  EXPECT_TRUE(std::isnan(mean(scores, AnswerMeasure::kMembers).low));
}

TEST(AnswerScores, IntervalsDependOnTheSeedAlone) {
  const std::vector<TopicAnswer> answers = {kMixed, kSilent, kMixed, kMixed, kSilent, kSilent, kMixed};
  const auto first = score_answers(answers, {.resamples = 100, .seed = 7});
  const auto again = score_answers(answers, {.resamples = 100, .seed = 7});
  EXPECT_EQ(mean(first, AnswerMeasure::kF1).low, mean(again, AnswerMeasure::kF1).low);
  EXPECT_LE(mean(first, AnswerMeasure::kF1).low, mean(first, AnswerMeasure::kF1).value);
  EXPECT_GE(mean(first, AnswerMeasure::kF1).high, mean(first, AnswerMeasure::kF1).value);
}

TEST(AnswerScores, OfNoAnswerHaveNoValue) {
  const auto scores = score_answers({});
  EXPECT_TRUE(std::isnan(mean(scores, AnswerMeasure::kRecall).value));
  EXPECT_EQ(mean(scores, AnswerMeasure::kStated).value, 0);
}

}  // namespace
}  // namespace touchstone::analysis::measures
