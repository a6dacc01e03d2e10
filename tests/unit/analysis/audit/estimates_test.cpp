#include "analysis/audit/estimates.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::audit {
namespace {

// The worked example of docs/audit.md.
const std::vector<StratumAnswers> kExample = {{Verdict::kYes, 300, 60, 57},
                                              {Verdict::kYes, 100, 40, 30},
                                              {Verdict::kNo, 200, 40, 10},
                                              {Verdict::kNo, 1400, 60, 3}};

TEST(Estimates, AreThoseOfAStratifiedSample) {
  const auto found = estimate(kExample);
  // Evidence: 300 * 57/60 = 285, 100 * 30/40 = 75, 200 * 10/40 = 50, 1400 * 3/60 = 70.
  EXPECT_DOUBLE_EQ(found.evidence->value, 480);
  EXPECT_DOUBLE_EQ(found.precision->value, 360.0 / 400);
  EXPECT_DOUBLE_EQ(found.recall->value, 360.0 / 480);
  EXPECT_DOUBLE_EQ(found.f1->value, 720.0 / 880);
  EXPECT_DOUBLE_EQ(found.accuracy->value, (360.0 + 1480) / 2000);
  EXPECT_DOUBLE_EQ(found.confirmed_no->value, 1480.0 / 1600);
  EXPECT_DOUBLE_EQ(found.balanced_agreement->value, (360.0 / 400 + 1480.0 / 1600) / 2);
}

TEST(Estimates, HaveIntervalsThatHoldTheirValues) {
  const auto found = estimate(kExample);
  for (const auto& number : {found.precision, found.recall, found.f1, found.accuracy, found.confirmed_no,
                             found.balanced_agreement, found.evidence}) {
    ASSERT_TRUE(number);
    EXPECT_LT(number->interval.low, number->value);
    EXPECT_GT(number->interval.high, number->value);
  }
}

TEST(Estimates, OfOneLargeStratumHaveJeffreysInterval) {
  // Jeffreys' 95 % interval of 8 of 10: 0.4972 to 0.9559 (quantiles of Beta(8.5, 2.5)).
  const std::vector<StratumAnswers> strata = {{Verdict::kYes, 1'000'000, 10, 8}};
  const auto found = estimate(strata, {.draws = 40'000});
  EXPECT_NEAR(found.precision->interval.low, 0.4972, 0.006);
  EXPECT_NEAR(found.precision->interval.high, 0.9559, 0.006);
}

TEST(Estimates, OfACompleteCensusAreCertain) {
  const std::vector<StratumAnswers> strata = {{Verdict::kYes, 40, 40, 31}, {Verdict::kNo, 60, 60, 9}};
  const auto found = estimate(strata);
  EXPECT_DOUBLE_EQ(found.precision->interval.low, 31.0 / 40);
  EXPECT_DOUBLE_EQ(found.precision->interval.high, 31.0 / 40);
  EXPECT_DOUBLE_EQ(found.recall->interval.low, 31.0 / 40);
  EXPECT_DOUBLE_EQ(found.evidence->interval.high, 40);
}

TEST(Estimates, OfOneHaveAnIntervalThatEndsThere) {
  const std::vector<StratumAnswers> strata = {{Verdict::kYes, 5000, 30, 30}, {Verdict::kNo, 5000, 30, 0}};
  const auto found = estimate(strata);
  EXPECT_EQ(found.precision->value, 1);
  EXPECT_EQ(found.precision->interval.high, 1);
  EXPECT_GT(found.precision->interval.low, 0.88);
  EXPECT_LT(found.precision->interval.low, 0.97);
  EXPECT_EQ(found.recall->interval.high, 1);
}

TEST(Estimates, NameOnlyWhatTheAnsweredStrataTell) {
  const auto without_no = estimate(std::vector<StratumAnswers>{{Verdict::kYes, 40, 10, 9}, {Verdict::kNo, 60, 0, 0}});
  EXPECT_TRUE(without_no.precision);
  EXPECT_FALSE(without_no.confirmed_no || without_no.recall || without_no.evidence || without_no.accuracy ||
               without_no.f1 || without_no.balanced_agreement);
  const auto without_unsure = estimate(
      std::vector<StratumAnswers>{{Verdict::kYes, 40, 10, 9}, {Verdict::kNo, 60, 10, 1}, {Verdict::kUnsure, 5, 0, 0}});
  EXPECT_TRUE(without_unsure.precision && without_unsure.confirmed_no && without_unsure.balanced_agreement);
  EXPECT_FALSE(without_unsure.recall || without_unsure.evidence);
}

TEST(Estimates, CountUnsureAsNoEvidence) {
  const auto found = estimate(std::vector<StratumAnswers>{{Verdict::kYes, 10, 10, 10}, {Verdict::kUnsure, 10, 10, 10}});
  EXPECT_DOUBLE_EQ(found.recall->value, 0.5);
  EXPECT_DOUBLE_EQ(found.accuracy->value, 0.5);
  EXPECT_FALSE(found.confirmed_no);  // the judge said no to nothing
}

TEST(Estimates, WithoutEvidenceHaveNoRecall) {
  const auto found = estimate(std::vector<StratumAnswers>{{Verdict::kNo, 100, 20, 0}});
  EXPECT_FALSE(found.recall);
  EXPECT_FALSE(found.precision);
  EXPECT_EQ(found.evidence->value, 0);
}

TEST(Estimates, OfNothingAreNone) {
  const auto found = estimate({});
  EXPECT_FALSE(found.precision || found.recall || found.evidence);
  EXPECT_FALSE(evidence_share({}));
}

TEST(Estimates, AreTheSameForTheSameSeed) {
  EXPECT_EQ(estimate(kExample).recall->interval.low, estimate(kExample).recall->interval.low);
}

TEST(EvidenceShare, WeighsStrataByTheirSize) {
  const std::vector<StratumAnswers> strata = {{Verdict::kYes, 90, 10, 10}, {Verdict::kNo, 10, 10, 0}};
  EXPECT_DOUBLE_EQ(evidence_share(strata)->value, 0.9);
  const std::vector<StratumAnswers> open = {{Verdict::kYes, 90, 10, 10}, {Verdict::kNo, 10, 0, 0}};
  EXPECT_FALSE(evidence_share(open));
}

}  // namespace
}  // namespace touchstone::analysis::audit
