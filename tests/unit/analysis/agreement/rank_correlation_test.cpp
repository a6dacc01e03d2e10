#include "analysis/agreement/rank_correlation.hpp"

#include "analysis/statistics/random.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
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
  statistics::Random random(seed);
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

}  // namespace
}  // namespace touchstone::analysis::agreement
