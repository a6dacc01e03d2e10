#include "llm_client/attempt_budget.hpp"

#include <gtest/gtest.h>

namespace touchstone::llm_client {
namespace {

constexpr Spending kWorst{100, 1, 10};

TEST(AttemptBudget, AnAttemptThatMayHaveBeenServedIsChargedAtItsWorst) {
  Budget budget({});
  AttemptBudget attempts(budget);
  ASSERT_TRUE(attempts.reserve(1, kWorst));
  attempts.failed(1, true);
  ASSERT_TRUE(attempts.may_send(1, 1));
  attempts.failed(1, false);
  ASSERT_TRUE(attempts.may_send(1, 1));
  attempts.settle(1, {40, 1, 4});
  EXPECT_EQ(budget.spent().cost, 140);
  EXPECT_EQ(budget.spent().tokens, 14U);
  EXPECT_EQ(budget.spent().calls, 3U) << "each attempt is a call";
}

TEST(AttemptBudget, NoFurtherAttemptPassesACap) {
  Budget budget({0, 2, 0});
  AttemptBudget attempts(budget);
  ASSERT_TRUE(attempts.reserve(1, kWorst));
  attempts.failed(1, true);
  ASSERT_TRUE(attempts.may_send(1, 1));
  EXPECT_TRUE(attempts.may_send(1, 1)) << "it is set aside once";
  attempts.failed(1, true);
  EXPECT_FALSE(attempts.may_send(1, 1));
  attempts.settle(1, kWorst);
  EXPECT_EQ(budget.spent().calls, 2U) << "what was not sent is not charged";
  EXPECT_FALSE(attempts.reserve(2, kWorst));
  EXPECT_NE(attempts.obstacle(kWorst).find("--max-calls"), std::string::npos);
}

TEST(AttemptBudget, WorstCasesGrowWhenAReplyCostMore) {
  Budget budget({1000 / kPicoPerDollar, 0, 0});
  AttemptBudget attempts(budget);
  ASSERT_TRUE(attempts.reserve(1, kWorst));
  ASSERT_TRUE(attempts.reserve(2, kWorst));
  attempts.settle(1, {400, 1, 10});
  EXPECT_EQ(attempts.worst_case(kWorst).cost, 400);
  EXPECT_FALSE(attempts.reserve(3, kWorst)) << "400 are spent, 400 set aside for what is under way";
  EXPECT_FALSE(budget.is_overdrawn());
  attempts.settle(2, {100, 1, 10});
  EXPECT_TRUE(attempts.reserve(3, kWorst));
}

TEST(AttemptBudget, AReplyThatCostTooMuchIsKnownWhenItArrives) {
  Budget budget({1000 / kPicoPerDollar, 0, 0});
  AttemptBudget attempts(budget, [](std::string_view) { return Spending{900, 1, 10}; });
  for (std::uint64_t id = 1; id <= 8; ++id) ASSERT_TRUE(attempts.reserve(id, kWorst));
  attempts.arrived(1, "{}");
  for (std::uint64_t id = 2; id <= 8; ++id) EXPECT_FALSE(attempts.may_send(id, 0)) << id;
}

TEST(AttemptBudget, WhatWasNotSentYetIsNotSentWhenAReplyCostTooMuch) {
  Budget budget({1000 / kPicoPerDollar, 0, 0});
  AttemptBudget attempts(budget);
  for (std::uint64_t id = 1; id <= 8; ++id) ASSERT_TRUE(attempts.reserve(id, kWorst));
  ASSERT_TRUE(attempts.may_send(1, 0));
  attempts.settle(1, {900, 1, 10});
  EXPECT_TRUE(budget.is_overdrawn());
  for (std::uint64_t id = 2; id <= 8; ++id) EXPECT_FALSE(attempts.may_send(id, 0)) << id;
  EXPECT_FALSE(budget.is_overdrawn());
}

}  // namespace
}  // namespace touchstone::llm_client
