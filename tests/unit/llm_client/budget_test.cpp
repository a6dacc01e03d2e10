#include "llm_client/budget.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

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

/// Hands out calls by tens, and money as it is asked for.
class Purse : public BudgetSource {
 public:
  explicit Purse(const Spending& all) : left_(all) {}
  std::optional<Spending> take(const Spending& least) override {
    if (least.calls > left_.calls || least.cost > left_.cost) return std::nullopt;
    const Spending portion{least.cost, least.calls == 0 ? 0 : std::min<std::uint64_t>(left_.calls, 10), 0};
    left_ -= portion;
    return portion;
  }
  void owe(const Spending& more) override { owed += more; }
  void give_back(const Spending& rest) override { left_ += rest; }
  Spending left() const override { return left_; }

  Spending owed;

 private:
  Spending left_;
};

TEST(SharedBudget, TakesWhatItNeedsAndGivesTheRestBack) {
  const auto purse = std::make_shared<Purse>(Spending{0, 15, 0});
  {
    Budget one({0, 15, 0}, purse), other({0, 15, 0}, purse);
    EXPECT_TRUE(one.reserve({0, 1, 50}));
    EXPECT_EQ(purse->left().calls, 5U);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(other.reserve({0, 1, 50}));
    EXPECT_FALSE(other.reserve({0, 1, 50}));
    EXPECT_NE(other.obstacle({0, 1, 50}).find("the budget of 15 calls (--max-calls) is used up"), std::string::npos);
    one.settle({0, 1, 50}, {0, 1, 40});
    for (int i = 0; i < 5; ++i) other.settle({0, 1, 50}, {0, 1, 40});
  }
  EXPECT_EQ(purse->left().calls, 9U);
}

TEST(SharedBudget, WhatIsReservedStillIsNotGivenBack) {
  const auto purse = std::make_shared<Purse>(Spending{0, 10, 0});
  {
    Budget budget({0, 10, 0}, purse);
    EXPECT_TRUE(budget.reserve({0, 3, 0}));
  }
  EXPECT_EQ(purse->left().calls, 7U);
}

TEST(SharedBudget, WhatCostsMoreThanItsWorstCaseIsOwed) {
  const auto purse = std::make_shared<Purse>(Spending{100, 0, 0});
  Budget budget({100 / kPicoPerDollar, 0, 0}, purse);
  ASSERT_TRUE(budget.reserve({60, 1, 0}));
  EXPECT_FALSE(budget.is_overdrawn());
  budget.enlarge({60, 1, 0}, {120, 1, 0});
  EXPECT_TRUE(budget.is_overdrawn());
  budget.settle({120, 1, 0}, {120, 1, 0});
  EXPECT_EQ(purse->owed.cost, 60);
  EXPECT_FALSE(budget.reserve({60, 1, 0}));
}

}  // namespace
}  // namespace touchstone::llm_client
