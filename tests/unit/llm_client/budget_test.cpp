#include "llm_client/budget.hpp"

#include <gtest/gtest.h>

namespace touchstone::llm_client {
namespace {

TEST(Budget, TheWorstCaseIsHeldBackUntilItIsSettled) {
  Budget budget({0, 10, 1000});
  EXPECT_TRUE(budget.reserve({0, 1, 600}));
  EXPECT_FALSE(budget.reserve({0, 1, 600}));
  budget.settle({0, 1, 600}, {0, 1, 100});
  EXPECT_TRUE(budget.reserve({0, 1, 600}));
  EXPECT_FALSE(budget.reserve({0, 1, 301}));
  EXPECT_NE(budget.obstacle({0, 1, 301}).find("--max-tokens"), std::string::npos);
  EXPECT_EQ(budget.spent().tokens, 100U);
}

TEST(Budget, CallsAndMoneyAreCapped) {
  Budget calls({0, 2, 0});
  EXPECT_TRUE(calls.reserve({0, 1, 0}));
  EXPECT_TRUE(calls.reserve({0, 1, 0}));
  EXPECT_FALSE(calls.reserve({0, 1, 0}));
  const Prices prices{2.5, 1.25, -1, 10, 1};
  EXPECT_EQ(prices.cost({1000, 400, 0, 100}), 600LL * 2'500'000 + 400 * 1'250'000 + 100LL * 10'000'000);
  EXPECT_EQ(prices.highest_cost(1000, 100), 1000LL * 2'500'000 + 100LL * 10'000'000);
  EXPECT_EQ((Prices{2.5, -1, -1, 10, .5}).cost({1000, 400, 0, 100}), 1000LL * 1'250'000 + 100 * 5'000'000);
  Budget money({0.001, 0, 0});
  EXPECT_TRUE(money.reserve({600'000'000, 1, 0}));
  EXPECT_FALSE(money.reserve({600'000'000, 1, 0}));
  Budget open({});
  EXPECT_TRUE(open.reserve({1'000'000'000'000'000, 1'000'000, 1'000'000'000}));
}

}  // namespace
}  // namespace touchstone::llm_client
