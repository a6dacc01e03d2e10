#include "pipeline/judging/shared_asking.hpp"

#include "common/error.hpp"
#include "llm_client/budget.hpp"
#include "tests/support/temporary_folder.hpp"

#include <atomic>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace touchstone::pipeline::judging {
namespace {

using llm_client::Budget;
using llm_client::BudgetLimits;
using llm_client::Spending;

class SharedAskingTest : public ::testing::Test {
 protected:
  std::shared_ptr<SharedAsking> asking(const std::string& writer, const BudgetLimits& limits = {}) const {
    return std::make_shared<SharedAsking>(folder / "journal", writer, limits);
  }
  testing::TemporaryFolder folder;
};

/// Spends calls until there are no more.
std::uint64_t spend_all(Budget& budget) {
  std::uint64_t spent = 0;
  while (budget.reserve({0, 1, 0})) {
    budget.settle({0, 1, 0}, {0, 1, 0});
    ++spent;
  }
  return spent;
}

TEST_F(SharedAskingTest, ProcessesSpendTheBudgetOnce) {
  constexpr std::uint64_t kCalls = 1000;
  const BudgetLimits limits{0, kCalls, 0};
  std::atomic<std::uint64_t> spent = 0;
  std::vector<std::thread> processes;
  for (int i = 0; i < 4; ++i) {
    processes.emplace_back([&, i] {
      Budget budget(limits, asking(fmt::format("p{}", i), limits));
      spent += spend_all(budget);
    });
  }
  for (auto& process : processes) process.join();
  EXPECT_LE(spent, kCalls);
  Budget last(limits, asking("last", limits));
  EXPECT_EQ(spent + spend_all(last), kCalls) << "what was given back is spent by the last";
}

TEST_F(SharedAskingTest, ACrashCostsAPortionAndPassesNoCap) {
  const BudgetLimits limits{0, 640, 0};
  const auto killed =
      std::make_unique<Budget>(limits, asking("killed", limits));  // it gives nothing back until the end
  ASSERT_TRUE(killed->reserve({0, 1, 0}));
  Budget last(limits, asking("last", limits));
  EXPECT_EQ(spend_all(last), 630U);
  EXPECT_NE(last.obstacle({0, 1, 0}).find("640 calls"), std::string::npos);
  EXPECT_TRUE(killed->reserve({0, 9, 0})) << "it may wake up, and has its portion still";
  EXPECT_FALSE(killed->reserve({0, 1, 0}));
}

TEST_F(SharedAskingTest, EachMeasureIsTakenAsItIsNeeded) {
  const BudgetLimits limits{0, 6400, 64'000};
  const auto one = asking("one", limits);
  Budget budget(limits, one);
  EXPECT_TRUE(budget.reserve({0, 1, 700}));
  EXPECT_TRUE(budget.reserve({0, 1, 700}));
  EXPECT_EQ(one->left().calls, 6300U);
  EXPECT_EQ(one->left().tokens, 62'000U);
  EXPECT_TRUE(budget.reserve({0, 1, 50'000})) << "a request may be dearer than a portion";
  EXPECT_FALSE(budget.reserve({0, 1, 50'000}));
}

TEST_F(SharedAskingTest, AHigherCapGoesOn) {
  Budget low({0, 10, 0}, asking("low", {0, 10, 0}));
  EXPECT_EQ(spend_all(low), 10U);
  Budget high({0, 15, 0}, asking("high", {0, 15, 0}));
  EXPECT_EQ(spend_all(high), 5U);
}

TEST_F(SharedAskingTest, OneProcessHasAClaimUntilItIsReleased) {
  const auto one = asking("one"), other = asking("other");
  EXPECT_TRUE(one->claim("lot"));
  EXPECT_TRUE(one->claim("lot")) << "it has it already";
  EXPECT_FALSE(other->claim("lot"));
  one->release_claims();
  EXPECT_TRUE(other->claim("lot"));
  EXPECT_FALSE(one->claim("lot"));
  EXPECT_FALSE(one->is_done("server"));
  other->tell_done("server");
  EXPECT_TRUE(one->is_done("server"));
}

TEST_F(SharedAskingTest, WhoWakesUpAfterTheEndClaimsNothing) {
  const auto late = asking("late");
  EXPECT_TRUE(late->claim("a"));
  asking("last")->close();
  EXPECT_TRUE(late->is_closed());
  EXPECT_FALSE(late->claim("b"));
  EXPECT_FALSE(late->claim("a"));
  const auto next = asking("next");
  EXPECT_FALSE(next->is_closed());
  EXPECT_TRUE(next->claim("a"));
}

TEST_F(SharedAskingTest, AnEntryThatNobodyKnowsIsAnError) {
  static_cast<void>(asking("one")->claim("a"));
  std::ofstream(folder / "journal" / "00000002") << "steal one";
  EXPECT_THROW(asking("other"), StorageError);
}

}  // namespace
}  // namespace touchstone::pipeline::judging
