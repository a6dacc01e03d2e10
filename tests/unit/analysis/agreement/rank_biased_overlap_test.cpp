#include "analysis/agreement/rank_biased_overlap.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

// The example of the RBO implementation of Corsi and Urbano (its README).
const TiedRanking kRboX = {{"red"}, {"blue", "green"}, {"yellow"}, {"pink"}};
const TiedRanking kRboY = {{"blue", "red"}, {"white"}, {"yellow", "black", "purple"}, {"green"}};

TEST(RankBiasedOverlap, GivesThePublishedValuesWithTies) {
  struct {
    RboTies ties;
    double extrapolated, minimum, maximum;
  } const cases[] = {{RboTies::kA, .6922853, .3310519, .8930692},
                     {RboTies::kW, .7068257, .3429684, .9049857},
                     {RboTies::kB, .7207131, .3509163, .9129336}};
  for (const auto& c : cases) {
    const auto rbo = rank_biased_overlap(kRboX, kRboY, 0.95, c.ties);
    EXPECT_NEAR(rbo.extrapolated, c.extrapolated, 5e-8);
    EXPECT_NEAR(rbo.minimum, c.minimum, 5e-8);
    EXPECT_NEAR(rbo.maximum, c.maximum, 1e-7);
    EXPECT_NEAR(rbo.residual, .5620173, 5e-8);
  }
}

// Values of the authors' own program, github.com/julian-urbano/sigir2024-rbo (read 2026-11).
TEST(RankBiasedOverlap, TiesOfALongerRankingCountByTheirShareOfTheDepth) {
  struct {
    RboTies ties;
    double extrapolated, minimum, maximum;
  } const cases[] = {{RboTies::kA, .440977524, .325822956, .613944838},
                     {RboTies::kB, .524386438, .392441303, .686950669},
                     {RboTies::kW, .507863227, .383055603, .667174575}};
  const TiedRanking shorter = {{"c", "a"}, {"d"}}, longer = {{"e", "c"}, {"f", "g", "a", "h"}, {"i"}};
  for (const auto& c : cases) {
    for (const auto& rbo :
         {rank_biased_overlap(shorter, longer, 0.8, c.ties), rank_biased_overlap(longer, shorter, 0.8, c.ties)}) {
      EXPECT_NEAR(rbo.extrapolated, c.extrapolated, 1e-9);
      EXPECT_NEAR(rbo.minimum, c.minimum, 1e-9);
      EXPECT_NEAR(rbo.maximum, c.maximum, 1e-9);
      EXPECT_NEAR(rbo.residual, c.maximum - c.minimum, 2e-9);
    }
  }
}

TEST(RankBiasedOverlap, IsSymmetricAndOneForARankingWithItself) {
  const auto there = rank_biased_overlap(kRboX, kRboY, 0.8, RboTies::kB);
  const auto back = rank_biased_overlap(kRboY, kRboX, 0.8, RboTies::kB);
  EXPECT_NEAR(there.extrapolated, back.extrapolated, 1e-12);
  EXPECT_NEAR(there.maximum, back.maximum, 1e-12);
  EXPECT_NEAR(rank_biased_overlap(kRboX, kRboX, 0.9, RboTies::kB).extrapolated, 1, 1e-12);
  EXPECT_NEAR(rank_biased_overlap({{"a"}, {"b"}}, {{"a"}, {"b"}}, 0.9).extrapolated, 1, 1e-12);
  EXPECT_NEAR(rank_biased_overlap({{"a"}, {"b"}}, {{"c"}, {"d"}}, 0.9).extrapolated, 0, 1e-12);
}

TEST(AverageOverlap, IsTheMeanOverDepths) {
  EXPECT_DOUBLE_EQ(average_overlap({{"a"}, {"b"}, {"c"}}, {{"b"}, {"a"}, {"c"}}), (0.0 + 1 + 1) / 3);
  EXPECT_DOUBLE_EQ(average_overlap({{"a"}, {"b"}, {"c"}}, {{"b"}, {"a"}, {"c"}}, 2), 0.5);
  EXPECT_DOUBLE_EQ(average_overlap({{"a", "b"}}, {{"a"}, {"b"}}), (0.5 + 1) / 2);
}

}  // namespace
}  // namespace touchstone::analysis::agreement
