#include "pipeline/release/topic_tally.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::release {
namespace {

/// A topic with ten passages of evidence of ten moulds.
TopicTally good_topic() {
  TopicTally tally;
  for (int i = 0; i < 10; ++i) tally.evidence.insert("wiki-" + std::to_string(i) + "-0");
  tally.moulds = 10;
  tally.judgments = 20;
  tally.probability_sum = 9;
  tally.with_probability = 10;
  return tally;
}

TEST(TopicDiscards, AGoodTopicStays) {
  EXPECT_FALSE(discard_of(good_topic(), {}));
}

TEST(TopicDiscards, PassagesOfOneMouldCountOnce) {
  auto tally = good_topic();
  tally.moulds = 1;
  const auto discard = discard_of(tally, {});
  ASSERT_TRUE(discard);
  EXPECT_EQ(discard->reason, evidence::DiscardReason::kTooLittleEvidence);
  EXPECT_EQ(discard->detail, "10 passages of 1 pattern, 5 needed");
}

TEST(TopicDiscards, EvidenceThatIsBarelyProbableIsDoubtful) {
  auto tally = good_topic();
  tally.probability_sum = 5.2;
  const auto discard = discard_of(tally, {});
  ASSERT_TRUE(discard);
  EXPECT_EQ(discard->reason, evidence::DiscardReason::kDoubtfulEvidence);
  tally.with_probability = 0;  // of a judge that gives none
  EXPECT_FALSE(discard_of(tally, {}));
}

TEST(TopicDiscards, ATopicThatIsMostlyBeyondTheJudgeIsDoubtful) {
  auto tally = good_topic();
  tally.judgments = 400;
  tally.unsure = 390;
  const auto discard = discard_of(tally, {});
  ASSERT_TRUE(discard);
  EXPECT_EQ(discard->reason, evidence::DiscardReason::kDoubtfulEvidence);
  EXPECT_EQ(discard->detail, "the judge is unsure about 390 of 400 candidates");
}

}  // namespace
}  // namespace touchstone::pipeline::release
