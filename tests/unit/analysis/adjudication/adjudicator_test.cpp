#include "analysis/adjudication/adjudicator.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace touchstone::analysis::adjudication {
namespace {

using Runs = std::vector<std::vector<std::string_view>>;

/// The docids in the order of judging.
std::vector<std::string> order(const TopicPool& pool, AdjudicationOptions options,
                               const std::set<std::string>& relevant = {}, std::uint64_t topic_seed = 1) {
  const auto adjudicator = make_adjudicator(options, pool, topic_seed);
  std::vector<std::string> docids;
  while (const auto document = adjudicator->next()) {
    EXPECT_EQ(adjudicator->next(), document) << "without a judgment the document stays";
    docids.push_back(pool.docids[*document]);
    adjudicator->judge(relevant.contains(docids.back()));
  }
  return docids;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  for (const char c : text) found.emplace_back(1, c);
  return found;
}

const Runs kThreeRuns{{"d", "a", "e"}, {"d", "b", "c"}, {"b", "d", "f"}};

TEST(TopicPool, HoldsTheFirstDocumentsOfEachRunOnce) {
  const auto pool = make_topic_pool(kThreeRuns, 2);
  EXPECT_EQ(pool.docids, words("abd"));
  EXPECT_EQ(pool.runs, (std::vector<std::vector<std::uint32_t>>{{2, 0}, {2, 1}, {1, 2}}));
}

TEST(TopicPool, DocumentsThatAreLeftOutKeepTheRanksOfTheOthers) {
  const auto pool = make_topic_pool(kThreeRuns, 3, [](std::string_view docid) { return docid != "d"; });
  EXPECT_EQ(pool.docids, words("abcef"));
  EXPECT_EQ(pool.runs[0], (std::vector<std::uint32_t>{kNotPooled, 0, 3}));
}

TEST(TopK, TakesTheSmallestDepthThatHoldsTheBudgetInDocidOrder) {
  const auto pool = make_topic_pool(kThreeRuns, 3);
  AdjudicationOptions options{.method = AdjudicationMethod::kTopK};
  options.budget = 2;  // depth 1 holds b and d
  EXPECT_EQ(order(pool, options), words("bdacef"));
  options.budget = 3;  // depth 2 holds a, b and d
  EXPECT_EQ(order(pool, options), words("abdcef"));
  options.budget = 100;
  EXPECT_EQ(order(pool, options), words("abcdef"));
}

TEST(Ntcir, OrdersByRunsThenRanksThenDocid) {
  // d: 3 runs; b: 2 runs; a: rank 2; c, e, f: rank 3.
  EXPECT_EQ(order(make_topic_pool(kThreeRuns, 3), {.method = AdjudicationMethod::kNtcir}), words("dbacef"));
}

TEST(MoveToFront, StaysWithARunUntilADocumentIsNotRelevant) {
  const Runs runs{{"a", "b", "c", "d"}, {"w", "x", "y", "z"}};
  const auto pool = make_topic_pool(runs, 4);
  std::set<std::string> firsts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto judged = order(pool, {.method = AdjudicationMethod::kMoveToFront, .seed = seed}, {"a", "b", "w", "y"});
    firsts.insert(judged[0]);
    // a, b, c (not relevant), then the other run up to its first document that is not relevant, or the other way round.
    EXPECT_TRUE(judged == words("abcwxdyz") || judged == words("abcwxyzd") || judged == words("wxabcyzd") ||
                judged == words("wxabcdyz"))
        << ::testing::PrintToString(judged);
  }
  EXPECT_EQ(firsts.size(), 2U) << "the first run is drawn";
}

TEST(MaxMean, PrefersTheRunWithTheHighestPosteriorMean) {
  const Runs runs{{"a", "b", "c"}, {"x", "y", "z"}};
  const auto judged =
      order(make_topic_pool(runs, 3), {.method = AdjudicationMethod::kMaxMean, .seed = 3}, {"a", "b", "c"});
  // Whether x comes first is drawn; after a, which is relevant, the first run leads to its end.
  const auto a = std::find(judged.begin(), judged.end(), "a");
  EXPECT_LE(a - judged.begin(), 1);
  EXPECT_EQ(std::vector<std::string>(a, a + 3), words("abc"));
}

TEST(MaxMean, AJudgmentCountsForAllRunsThatHoldTheDocument) {
  // m is in the first two runs. Once it is judged relevant, only these two have a mean above one half.
  const Runs runs{{"m", "a"}, {"m", "b"}, {"n", "c"}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto judged =
        order(make_topic_pool(runs, 2), {.method = AdjudicationMethod::kMaxMean, .seed = seed}, {"m", "a", "b"});
    const auto m = std::find(judged.begin(), judged.end(), "m");
    const std::set<std::string> then(m + 1, m + 3);
    EXPECT_EQ(then, (std::set<std::string>{"a", "b"})) << ::testing::PrintToString(judged);
  }
}

TEST(NonStationary, AtRateZeroOnlyTheLastJudgmentOfARunCounts) {
  // Three relevant documents do not hold the first run after one that is not relevant: the other run has not failed
  // yet.
  const Runs runs{{"a", "b", "c", "d", "e"}, {"w", "x"}};
  const auto pool = make_topic_pool(runs, 5);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    AdjudicationOptions options{.method = AdjudicationMethod::kMaxMeanNonStationary, .seed = seed};
    const auto faded = order(pool, options, {"a", "b", "c", "e"});
    const auto d = std::find(faded.begin(), faded.end(), "d") - faded.begin();
    if (faded[0] == "a") {
      EXPECT_EQ(faded[static_cast<std::size_t>(d) + 1], "w");
    }
    options.rate = 1;  // then it is MaxMean: 4 of 6 beat 1 of 2
    const auto kept = order(pool, options, {"a", "b", "c", "e"});
    const auto place = std::find(kept.begin(), kept.end(), "d") - kept.begin();
    EXPECT_EQ(kept[static_cast<std::size_t>(place) + 1], "e");
  }
}

TEST(Thompson, DrawsFavourTheBetterRun) {
  Runs runs(2);
  std::vector<std::string> names;
  std::set<std::string> relevant;
  for (int i = 0; i < 200; ++i) names.push_back((i < 100 ? "good" : "poor") + std::to_string(100 + i));
  for (int i = 0; i < 200; ++i) runs[i / 100].push_back(names[i]);
  for (int i = 0; i < 200; ++i) {
    if (i < 100 ? i % 5 != 0 : i % 5 == 0) relevant.insert(names[i]);
  }
  const auto pool = make_topic_pool(runs, 100);
  std::size_t good = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto judged = order(pool, {.method = AdjudicationMethod::kThompson, .seed = seed}, relevant);
    good += std::count_if(judged.begin(), judged.begin() + 50, [](const auto& docid) { return docid[0] == 'g'; });
  }
  EXPECT_GT(good, 800U);
  EXPECT_LT(good, 1000U) << "it tries the other run too";
}

TEST(Hedge, TakesTheDocumentWithTheGreatestLossIfItWereNotRelevant) {
  // Depth 2: rank 1 adds (1 + 1/2) / 2 = .75, rank 2 adds (1/2) / 2 = .25. d: 1.75, b: 1.0, a: .25.
  const auto pool = make_topic_pool(kThreeRuns, 2);
  EXPECT_EQ(order(pool, {.method = AdjudicationMethod::kHedge})[0], "d");
  // d is relevant: weights are .1^-.75, .1^-.75 and .1^-.25. b: 5.62 * .25 + 1.78 * .75 = 2.74; a: 5.62 * .25 = 1.41.
  EXPECT_EQ(order(pool, {.method = AdjudicationMethod::kHedge}, {"d"}), words("dba"));
}

TEST(Hedge, LeavesARunThatLedAstray) {
  // a is not relevant: the weights are .1^.75 = .178, and 1. y weighs .25, b .178 * .25.
  const Runs runs{{"a", "b", "c"}, {"x", "y", "z"}};
  const auto judged = order(make_topic_pool(runs, 3), {.method = AdjudicationMethod::kHedge}, {"x", "y", "z"});
  EXPECT_EQ(judged, words("axyzbc"));
}

class EachMethod : public ::testing::TestWithParam<Choice<AdjudicationMethod>> {};

TEST_P(EachMethod, JudgesEachDocumentOnceAndIsRepeatable) {
  const Runs runs{{"d", "a", "e", "k"}, {"d", "b", "c"}, {"b", "d", "f", "a"}, {}, {"q"}};
  const auto pool = make_topic_pool(runs, 4, [](std::string_view docid) { return docid != "e"; });
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    AdjudicationOptions options{.method = GetParam().value, .budget = 3, .seed = seed};
    const auto judged = order(pool, options, {"d", "c", "q"}, seed % 3);
    EXPECT_EQ(std::set(judged.begin(), judged.end()).size(), pool.docids.size());
    EXPECT_EQ(judged.size(), pool.docids.size());
    EXPECT_EQ(judged, order(pool, options, {"d", "c", "q"}, seed % 3));
  }
  const TopicPool empty;
  EXPECT_TRUE(order(empty, {.method = GetParam().value}).empty());
}

TEST_P(EachMethod, VariesWithTheSeedIfItIsStochastic) {
  const Runs runs{{"a", "b"}, {"c", "d"}, {"e", "f"}, {"g", "h"}};
  const auto pool = make_topic_pool(runs, 2);
  std::set<std::vector<std::string>> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) seen.insert(order(pool, {.method = GetParam().value, .seed = seed}));
  EXPECT_EQ(seen.size() > 1, is_stochastic(GetParam().value));
}

INSTANTIATE_TEST_SUITE_P(Methods, EachMethod, ::testing::ValuesIn(Choices<AdjudicationMethod>::table));

TEST(Adjudication, OptionsOutOfBoundsAreRefused) {
  const TopicPool pool;
  EXPECT_THROW(make_adjudicator({.rate = 1.1}, pool, 0), ConfigError);
  EXPECT_THROW(make_adjudicator({.hedge_beta = 0}, pool, 0), ConfigError);
  EXPECT_THROW(make_adjudicator({.hedge_beta = 1}, pool, 0), ConfigError);
}

}  // namespace
}  // namespace touchstone::analysis::adjudication
