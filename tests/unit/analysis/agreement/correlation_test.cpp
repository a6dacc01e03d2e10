#include "analysis/agreement/correlation.hpp"

#include "analysis/significance/random.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis {
namespace {

using Scores = std::vector<double>;

// Three pairs of score lists without and with ties, and their coefficients, from the tests of the R package ircor
// (MIT), whose tolerance is 5e-5.
struct Published {
  Scores x, y, x_ties, y_ties;
  double tau, tau_a, tau_b, tau_ap, tau_ap_a, tau_ap_b, tau_ap_b_ties;
};
const Published kPublished[] = {{{.897, .372, .908, .898, .661, .062, .177, .384, .498, .992},
                                 {.82, .406, .817, .953, .673, .073, .364, .547, .589, .988},
                                 {.9, .4, .9, .9, .7, .1, .2, .4, .5, 1},
                                 {.8, .4, .8, 1, .7, .1, .4, .5, .6, 1},
                                 .9111,
                                 .8889,
                                 .9398,
                                 .8519,
                                 .7454,
                                 .8333,
                                 .7321},
                                {{.266, .573, .202, .945, .629, .206, .687, .77, .718, .38},
                                 {.263, .843, .728, .928, .08, .114, .467, .641, .973, .644},
                                 {.3, .6, .2, .9, .6, .2, .7, .8, .7, .4},
                                 {.3, .8, .7, .9, .1, .1, .5, .6, 1, .6},
                                 .2889,
                                 .3333,
                                 .3765,
                                 .2504,
                                 .2692,
                                 .2880,
                                 .2970},
                                {{.185, .573, .944, .129, .468, .553, .761, .405, .976, .445},
                                 {.845, .272, .275, .924, .605, .334, .162, .872, .018, .25},
                                 {.2, .6, .9, .1, .5, .6, .8, .4, 1, .4},
                                 {.8, .3, .3, .9, .6, .3, .2, .9, 0, .2},
                                 -.6889,
                                 -.6222,
                                 -.6510,
                                 -.6971,
                                 -.5558,
                                 -.6680,
                                 -.7047}};
constexpr double kPublishedDigits = 5e-5;

TEST(KendallTau, GivesThePublishedValues) {
  for (const auto& p : kPublished) {
    EXPECT_NEAR(kendall_tau_a(count_pairs(p.x, p.y)), p.tau, kPublishedDigits);
    EXPECT_NEAR(kendall_tau_b(count_pairs(p.y, p.x)), p.tau, kPublishedDigits);
    EXPECT_NEAR(kendall_tau_a(count_pairs(p.x, p.y_ties)), p.tau_a, kPublishedDigits);
    EXPECT_NEAR(kendall_tau_b(count_pairs(p.x_ties, p.y_ties)), p.tau_b, kPublishedDigits);
    EXPECT_NEAR(kendall_tau_b(count_pairs(p.y_ties, p.x_ties)), p.tau_b, kPublishedDigits);
  }
}

TEST(TauAp, GivesThePublishedValues) {
  for (const auto& p : kPublished) {
    EXPECT_NEAR(tau_ap_a(p.x, p.y), p.tau_ap, kPublishedDigits);
    EXPECT_NEAR(tau_ap_a(p.x, p.y_ties), p.tau_ap_a, kPublishedDigits);
    EXPECT_NEAR(tau_ap_b(p.x, p.y), p.tau_ap_b, kPublishedDigits);
    EXPECT_NEAR(tau_ap_b(p.x_ties, p.y_ties), p.tau_ap_b_ties, kPublishedDigits);
    EXPECT_NEAR(tau_ap_b(p.y_ties, p.x_ties), p.tau_ap_b_ties, kPublishedDigits);
    EXPECT_TRUE(std::isnan(tau_ap_a(p.x_ties, p.y)));
  }
}

TEST(KendallTau, CountsEachKindOfPair) {
  const auto counts = count_pairs(Scores{1, 1, 2, 3}, Scores{5, 5, 5, 4});
  EXPECT_EQ(counts.pairs, 6U);
  EXPECT_EQ(counts.tied_in_first, 1U);
  EXPECT_EQ(counts.tied_in_second, 3U);
  EXPECT_EQ(counts.tied_in_both, 1U);
  EXPECT_EQ(counts.concordant, 0U);
  EXPECT_EQ(counts.discordant, 3U);
  EXPECT_EQ(error_rate(counts), 50);
  EXPECT_TRUE(std::isnan(kendall_tau_b(count_pairs(Scores{1, 1}, Scores{1, 2}))));
}

/// Score lists with ties, of a size and seed.
Scores random_scores(std::uint64_t seed, std::size_t size, std::uint32_t levels) {
  internal::Random random(seed);
  Scores scores;
  for (std::size_t i = 0; i < size; ++i) scores.push_back(random.below(levels));
  return scores;
}

TEST(KendallTau, EqualsTheCountOverAllPairs) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::size_t size = 2 + seed % 40;
    const auto x = random_scores(seed, size, 8), y = random_scores(seed + 1000, size, 5);
    const auto counts = count_pairs(x, y);
    PairCounts slow;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double product = (x[i] - x[j]) * (y[i] - y[j]);
        slow.concordant += product > 0;
        slow.discordant += product < 0;
      }
    }
    EXPECT_EQ(counts.concordant, slow.concordant) << "seed " << seed;
    EXPECT_EQ(counts.discordant, slow.discordant) << "seed " << seed;
  }
}

TEST(Correlations, AreOneWithThemselvesAndKeptByMonotoneTransforms) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto x = random_scores(seed, 20, 1000000), y = random_scores(seed + 99, 20, 1000000);
    Scores transformed, negative;
    for (const double value : y) transformed.push_back(std::exp(value / 1e6)), negative.push_back(-value);
    EXPECT_DOUBLE_EQ(kendall_tau_b(count_pairs(x, x)), 1) << seed;
    EXPECT_DOUBLE_EQ(tau_ap_a(x, x), 1) << seed;
    EXPECT_DOUBLE_EQ(tau_ap_b(x, x), 1) << seed;
    EXPECT_DOUBLE_EQ(spearman_rho(x, x), 1) << seed;
    EXPECT_DOUBLE_EQ(kendall_tau_b(count_pairs(x, y)), kendall_tau_b(count_pairs(x, transformed))) << seed;
    EXPECT_DOUBLE_EQ(kendall_tau_b(count_pairs(x, y)), -kendall_tau_b(count_pairs(x, negative))) << seed;
    EXPECT_DOUBLE_EQ(tau_ap_a(x, y), tau_ap_a(x, transformed)) << seed;
    EXPECT_DOUBLE_EQ(spearman_rho(x, y), spearman_rho(x, transformed)) << seed;
  }
}

TEST(TauAp, TiesCountAsTheMeanOverTheWaysToBreakThem) {
  const Scores x = {4, 3, 2, 1};
  double sum = 0;
  for (const auto& y : {Scores{4, 3, 2, 1}, Scores{4, 2, 3, 1}}) sum += tau_ap_a(x, y);
  EXPECT_DOUBLE_EQ(tau_ap_a(x, Scores{4, 2, 2, 1}), sum / 2);
}

TEST(SpearmanRho, UsesMeanRanks) {
  EXPECT_DOUBLE_EQ(spearman_rho(Scores{1, 2, 3}, Scores{1, 3, 2}), 0.5);
  EXPECT_NEAR(spearman_rho(Scores{1, 2, 2}, Scores{1, 3, 2}), 0.8660254, 1e-7);
}

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

// Eight pairs of systems: one for each kind of decision but active disagreement, which has two.
const std::vector<SystemRelation> kReference = {{1, .001}, {1, .03}, {1, .03}, {1, .03},
                                                {1, .2},   {1, .2},  {1, .2},  {1, .9}};
const std::vector<SystemRelation> kOther = {{2, .01}, {-1, .01}, {2, .5}, {-2, .5},
                                            {1, .01}, {-1, .01}, {1, .5}, {-1, .5}};

TEST(DecisionAgreement, EachKindIsCounted) {
  const auto d = decision_agreement(kReference, kOther, 0.05);
  EXPECT_EQ(d.active_agreements, 1U);
  EXPECT_EQ(d.active_disagreements, 1U);
  EXPECT_EQ(d.mixed_agreements_reference, 1U);
  EXPECT_EQ(d.mixed_disagreements_reference, 1U);
  EXPECT_EQ(d.mixed_agreements_other, 1U);
  EXPECT_EQ(d.mixed_disagreements_other, 1U);
  EXPECT_EQ(d.passive_agreements, 1U);
  EXPECT_EQ(d.passive_disagreements, 1U);
  EXPECT_DOUBLE_EQ(d.precision(), 1.0 / 4);
  EXPECT_DOUBLE_EQ(d.recall(), 1.0 / 4);
  EXPECT_DOUBLE_EQ(d.publication_bias(), 1 - 1.0 / 6);
}

TEST(CountPairs, ADifferenceOfZeroIsATieOfItsSide) {
  const std::vector<SystemRelation> first = {{1, 0}, {-1, 0}, {1, 0}, {0, 0}, {1, 0}, {0, 0}};
  const std::vector<SystemRelation> second = {{2, 0}, {-3, 0}, {-1, 0}, {1, 0}, {0, 0}, {0, 0}};
  const auto counts = count_pairs(first, second);
  EXPECT_EQ(counts.pairs, 6U);
  EXPECT_EQ(counts.concordant, 2U);
  EXPECT_EQ(counts.discordant, 1U);
  EXPECT_EQ(counts.tied_in_first, 2U);
  EXPECT_EQ(counts.tied_in_second, 2U);
  EXPECT_EQ(counts.tied_in_both, 1U);
}

TEST(DecisionAgreement, SignificantRelationsAndPartialTau) {
  EXPECT_DOUBLE_EQ(concordance_of_significant(kReference, kOther, 0.05), 2.0 / 4);
  const auto below = partial_tau(kReference, kOther, 0.01, 0.05);
  EXPECT_EQ(below.pairs, 3U);
  EXPECT_DOUBLE_EQ(below.tau(), (1.0 - 2) / 3);
  EXPECT_TRUE(std::isnan(concordance_of_significant(kReference, kOther, 1e-9)));
}

}  // namespace
}  // namespace touchstone::analysis
