#include "analysis/agreement/decision_agreement.hpp"
#include "common/error.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

using statistics::ScoreMatrix;

const ScoreMatrix kScores{{"a", "b"}, {"1", "2", "3", "4"}, {.9, .8, .7, .9, .1, .2, .1, .3}};

significance::CompareOptions options() {
  significance::CompareOptions options;
  options.test = significance::SignificanceTest::kTTest;
  return options;
}

TEST(CompareJudgments, TheSameScoresInAnotherOrderOfSystemsAgree) {
  const auto reference = compare_systems(kScores, options());
  ASSERT_EQ(reference.significant, 1U);
  const auto judgments = compare_judgments(kScores, reference, select_systems(kScores, {"b", "a"}));
  EXPECT_EQ(judgments.pairs.concordant, 1U);
  EXPECT_EQ(judgments.decisions.active_agreements, 1U);
  EXPECT_EQ(judgments.buckets[0].pairs.pairs, 1U);
}

TEST(CompareJudgments, ExchangedSystemsDisagree) {
  ScoreMatrix other = kScores;
  other.systems = {"b", "a"};
  const auto judgments = compare_judgments(kScores, compare_systems(kScores, options()), other);
  EXPECT_EQ(judgments.pairs.discordant, 1U);
  EXPECT_EQ(judgments.decisions.active_disagreements, 1U);
}

TEST(CompareJudgments, MeansThatDifferByRoundingAloneAreATie) {
  ScoreMatrix other = kScores;
  for (std::size_t t = 0; t < 4; ++t) other.values[4 + t] = other.values[t] + (t % 2 == 0 ? 1e-14 : 0);
  const auto judgments = compare_judgments(kScores, compare_systems(kScores, options()), other);
  EXPECT_EQ(judgments.pairs.tied_in_second, 1U);
}

TEST(CompareJudgments, BucketsComeFromTheTTestWhateverTheTest) {
  auto sign = options();
  sign.test = significance::SignificanceTest::kSign;  // p = .125 with four topics
  const auto judgments = compare_judgments(kScores, compare_systems(kScores, sign), kScores);
  EXPECT_EQ(judgments.decisions.passive_agreements, 1U);
  EXPECT_EQ(judgments.buckets[0].pairs.pairs, 1U);
  EXPECT_EQ(judgments.buckets[2].pairs.pairs, 0U);
}

TEST(CompareJudgments, BucketsDoNotDependOnTheCorrection) {
  // Three systems; the pair of the first two has an uncorrected p-value just below .05.
  const ScoreMatrix scores{{"a", "b", "c"},
                           {"1", "2", "3", "4", "5", "6"},
                           {.50, .62, .40, .71, .55, .60, .45, .52, .38, .60, .50, .61, .1, .2, .1, .2, .1, .2}};
  const auto plain = compare_judgments(scores, compare_systems(scores, options()), scores);
  auto corrected = options();
  corrected.correction = significance::Correction::kBonferroni;
  const auto judgments = compare_judgments(scores, compare_systems(scores, corrected), scores);
  ASSERT_EQ(plain.buckets[1].pairs.pairs, 1U);
  EXPECT_EQ(judgments.buckets[1].pairs.pairs, 1U);
}

TEST(CompareJudgments, TheOtherJudgmentsMayHaveFewerTopics) {
  const ScoreMatrix other{{"a", "b"}, {"2", "4"}, {.8, .9, .2, .3}};
  const auto judgments = compare_judgments(kScores, compare_systems(kScores, options()), other);
  EXPECT_EQ(judgments.topics, 2U);
  EXPECT_EQ(judgments.pairs.concordant, 1U);
}

TEST(CompareJudgments, EqualSystemsAreATieWithoutADecision) {
  const ScoreMatrix equal{{"a", "b"}, {"1", "2", "3", "4"}, {.9, .8, .7, .9, .9, .8, .7, .9}};
  const auto judgments = compare_judgments(equal, compare_systems(equal, options()), equal);
  EXPECT_EQ(judgments.decisions.passive_agreements, 1U);
  EXPECT_TRUE(std::isnan(judgments.decisions.publication_bias()));
  EXPECT_TRUE(std::isnan(kendall_tau_b(judgments.pairs)));
  EXPECT_EQ(kendall_tau_a(judgments.pairs), 0);
  EXPECT_EQ(judgments.concordance.value(), 1);
  EXPECT_EQ(judgments.buckets[2].pairs.pairs, 1U);
}

TEST(CompareJudgments, ASystemOfTheReferenceMustNotBeMissing) {
  EXPECT_THROW(compare_judgments(kScores, compare_systems(kScores, options()), select_systems(kScores, {"a"})), Error);
}

}  // namespace
}  // namespace touchstone::analysis::agreement
