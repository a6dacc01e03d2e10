#include "analysis/audit/sample.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace touchstone::analysis::audit {
namespace {

/// A collection of 1,000 decisions: half of them a sure yes, the others a no of two ranges, and three unsure.
std::vector<Decision> some_decisions() {
  std::vector<Decision> decisions;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto verdict = i < 3 ? Verdict::kUnsure : i % 2 == 0 ? Verdict::kYes : Verdict::kNo;
    const double probability = verdict == Verdict::kYes ? 0.9 : i % 5 == 0 ? 0.3 : 0.1;
    decisions.push_back({"t" + std::to_string(i % 7), "w-" + std::to_string(i) + "-0", i, verdict, probability, ""});
  }
  return decisions;
}

std::vector<std::size_t> sample_of(const std::vector<Decision>& decisions, std::uint64_t size, std::uint64_t seed = 1) {
  return draw_sample(decisions, stratify(decisions, 5), std::vector<bool>(decisions.size()), size, seed);
}

std::set<std::string> docids_of(const std::vector<Decision>& decisions, const std::vector<std::size_t>& sample) {
  std::set<std::string> docids;
  for (const auto index : sample) docids.insert(decisions[index].docid);
  return docids;
}

TEST(Sample, HasTheSizeThatWasAskedForAndNoDecisionTwice) {
  const auto decisions = some_decisions();
  for (const std::uint64_t size : {8U, 9U, 100U, 777U, 999U, 1000U}) {
    const auto sample = sample_of(decisions, size);
    EXPECT_EQ(sample.size(), size);
    EXPECT_EQ(docids_of(decisions, sample).size(), size);
  }
}

TEST(Sample, OfMoreThanAllIsAll) {
  const auto decisions = some_decisions();
  EXPECT_EQ(sample_of(decisions, 5000).size(), decisions.size());
}

TEST(Sample, TakesTwoOfEveryStratum) {
  const auto decisions = some_decisions();
  const auto strata = stratify(decisions, 5);
  std::vector<std::uint64_t> counts(strata.strata.size());
  for (const auto index : sample_of(decisions, 20)) ++counts[strata.of[index]];
  for (std::size_t i = 0; i < counts.size(); ++i)
    EXPECT_GE(counts[i], std::min<std::uint64_t>(2, strata.strata[i].decisions)) << strata.strata[i].name;
}

TEST(Sample, IsTheSameInWhateverOrderTheDecisionsCome) {
  auto decisions = some_decisions();
  const auto forward = sample_of(decisions, 60);
  std::vector<std::string> order, reversed_order;
  for (const auto index : forward) order.push_back(decisions[index].docid);
  std::reverse(decisions.begin(), decisions.end());
  for (const auto index : sample_of(decisions, 60)) reversed_order.push_back(decisions[index].docid);
  EXPECT_EQ(order, reversed_order);
}

TEST(Sample, OfAnotherSeedIsAnotherOne) {
  const auto decisions = some_decisions();
  EXPECT_NE(docids_of(decisions, sample_of(decisions, 60, 1)), docids_of(decisions, sample_of(decisions, 60, 2)));
}

TEST(Sample, ThatIsLargerHoldsTheSmallerOneOfTheSameSeed) {
  const auto decisions = some_decisions();
  const auto small = docids_of(decisions, sample_of(decisions, 60)),
             large = docids_of(decisions, sample_of(decisions, 200));
  EXPECT_TRUE(std::includes(large.begin(), large.end(), small.begin(), small.end()));
}

TEST(Sample, LeavesOutWhatWasDrawnBefore) {
  const auto decisions = some_decisions();
  const auto strata = stratify(decisions, 5);
  std::vector<bool> taken(decisions.size());
  for (const auto index : sample_of(decisions, 300)) taken[index] = true;
  const auto second = draw_sample(decisions, strata, taken, 400, 1);
  EXPECT_EQ(second.size(), 400u);
  for (const auto index : second) EXPECT_FALSE(taken[index]);
}

TEST(Sample, ShowsNoStratumByItsOrder) {
  const auto decisions = some_decisions();
  const auto sample = sample_of(decisions, 400);
  std::size_t changes = 0, yes = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const bool is_yes = decisions[sample[i]].verdict == Verdict::kYes;
    yes += is_yes ? 1 : 0;
    changes += i > 0 && is_yes != (decisions[sample[i - 1]].verdict == Verdict::kYes) ? 1 : 0;
  }
  const double share = static_cast<double>(yes) / 400;
  EXPECT_NEAR(static_cast<double>(changes), 2 * share * (1 - share) * 399, 40);
}

TEST(Sample, DrawsEachDecisionOfAStratumWithTheSameProbability) {
  std::vector<Decision> decisions;
  for (std::uint64_t i = 0; i < 20; ++i)
    decisions.push_back({"t", "w-" + std::to_string(i) + "-0", i, Verdict::kYes, 0.9, ""});
  std::vector<int> drawn(20);
  constexpr int kSeeds = 4000;
  for (int seed = 0; seed < kSeeds; ++seed) {
    for (const auto index : sample_of(decisions, 5, static_cast<std::uint64_t>(seed))) ++drawn[index];
  }
  for (const int count : drawn) EXPECT_NEAR(count, kSeeds / 4, 5 * std::sqrt(kSeeds * 0.25 * 0.75));
}

TEST(Allocation, FollowsSizeAndSpread) {
  // 0.9 * 0.1 and 0.5 * 0.5: standard deviations of 0.3 and 0.5.
  const std::vector<Stratum> strata = {{"yes", Verdict::kYes, 4, 1000, 0.9}, {"no", Verdict::kNo, 2, 1000, 0.5}};
  const std::vector<std::uint64_t> none = {0, 0};
  EXPECT_EQ(allocate(strata, none, 84), (std::vector<std::uint64_t>{2 + 30, 2 + 50}));
}

TEST(Allocation, GivesWhatASmallStratumCannotTakeToTheOthers) {
  const std::vector<Stratum> strata = {{"a", Verdict::kYes, 4, 3, 0.5}, {"b", Verdict::kNo, 2, 100, 0.05}};
  const std::vector<std::uint64_t> none = {0, 0};
  EXPECT_EQ(allocate(strata, none, 50), (std::vector<std::uint64_t>{3, 47}));
  EXPECT_EQ(allocate(strata, none, 500), (std::vector<std::uint64_t>{3, 100}));
}

TEST(Allocation, CountsWhatWasTakenBefore) {
  const std::vector<Stratum> strata = {{"a", Verdict::kYes, 4, 100, 0.9}, {"b", Verdict::kNo, 2, 100, 0.1}};
  const std::vector<std::uint64_t> taken = {100, 1};
  EXPECT_EQ(smallest_sample(strata, taken), 1u);
  EXPECT_EQ(allocate(strata, taken, 10), (std::vector<std::uint64_t>{0, 10}));
}

}  // namespace
}  // namespace touchstone::analysis::audit
