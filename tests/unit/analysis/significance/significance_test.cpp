#include "analysis/significance/significance.hpp"

#include "common/error.hpp"
#include "tests/unit/analysis/shared_data.hpp"
#include "tests/unit/analysis/significance/random_matrix.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::significance {
namespace {

using statistics::ScoreMatrix;
using testing::random_matrix;

CompareOptions options_of(SignificanceTest test, std::uint64_t permutations = 2000) {
  CompareOptions options;
  options.test = test;
  options.permutations = permutations;
  options.threads = 1;
  return options;
}

std::vector<double> p_values(const Comparison& comparison) {
  std::vector<double> result;
  for (const auto& pair : comparison.pairs) result.push_back(pair.p_value);
  return result;
}

constexpr SignificanceTest kAllTests[] = {SignificanceTest::kTukeyHsd,   SignificanceTest::kTukeyHsdParametric,
                                          SignificanceTest::kTTest,      SignificanceTest::kWilcoxon,
                                          SignificanceTest::kSign,       SignificanceTest::kBootstrap,
                                          SignificanceTest::kPermutation};

TEST(PermutationTest, FewTopicsAreEnumerated) {
  const ScoreMatrix matrix{{"a", "b"}, {"1", "2", "3", "4"}, {.4, .5, .6, .7, .1, .2, .3, .4}};
  const auto comparison = compare_systems(matrix, options_of(SignificanceTest::kPermutation));
  EXPECT_TRUE(comparison.exact);
  EXPECT_DOUBLE_EQ(comparison.pairs[0].p_value, 2.0 / 16);  // all signs as they are, or all turned
}

TEST(Bootstrap, EqualMeansAreReachedByEveryResampleAlthoughSumsOfDecimalsAreNotExact) {
  // Both systems sum to 2.5 in decimals.
  const ScoreMatrix matrix{{"a", "b"}, {"1", "2", "3", "4", "5", "6"}, {.1, .2, .7, .4, .6, .5, 0, 0, 1, .3, .9, .3}};
  const auto comparison = compare_systems(matrix, options_of(SignificanceTest::kBootstrap));
  EXPECT_EQ(comparison.pairs[0].p_value, 1);
}

TEST(RandomisedTukey, TwoSystemsAreThePermutationTest) {
  const auto matrix = random_matrix(3, 2, 12, 0.1);
  const auto exact = compare_systems(matrix, options_of(SignificanceTest::kPermutation, 1 << 12));
  ASSERT_TRUE(exact.exact);
  const auto sampled = compare_systems(matrix, options_of(SignificanceTest::kTukeyHsd, 400000));
  EXPECT_NEAR(sampled.pairs[0].p_value, exact.pairs[0].p_value, 0.004);
}

TEST(RandomisedTukey, EqualSystemsHaveNoDifference) {
  ScoreMatrix matrix = random_matrix(4, 3, 6, 0);
  for (std::size_t t = 0; t < 6; ++t) matrix.values[6 + t] = matrix.values[t];
  for (const auto test : kAllTests) {
    const auto comparison = compare_systems(matrix, options_of(test));
    for (const auto& pair : comparison.pairs) {
      if (std::min(pair.first, pair.second) == 0 && std::max(pair.first, pair.second) == 1) {
        EXPECT_EQ(pair.p_value, 1) << test_name(test);
        EXPECT_EQ(pair.effect_size, 0) << test_name(test);
      }
    }
  }
}

TEST(CompareSystems, ThreadsDoNotChangeAnything) {
  const auto matrix = random_matrix(11, 9, 40, 0.02);
  for (const auto test : kAllTests) {
    auto options = options_of(test, 5000);
    const auto one = compare_systems(matrix, options);
    for (const int threads : {2, 5}) {
      options.threads = threads;
      const auto more = compare_systems(matrix, options);
      EXPECT_EQ(p_values(one), p_values(more)) << test_name(test);
      EXPECT_EQ(one.critical_difference, more.critical_difference) << test_name(test);
    }
  }
}

TEST(CompareSystems, ASeedDecidesTheSampledPValues) {
  const auto matrix = random_matrix(12, 6, 40, 0.02);
  auto options = options_of(SignificanceTest::kTukeyHsd, 5000);
  const auto first = p_values(compare_systems(matrix, options));
  EXPECT_EQ(first, p_values(compare_systems(matrix, options)));
  options.seed = 2;
  EXPECT_NE(first, p_values(compare_systems(matrix, options)));
}

TEST(CompareSystems, OrderOfSystemsAndTopicsDoesNotMatter) {
  const auto matrix = random_matrix(13, 5, 12, 0.1);
  ScoreMatrix turned = matrix;
  std::reverse(turned.values.begin(), turned.values.end());
  std::reverse(turned.systems.begin(), turned.systems.end());
  std::reverse(turned.topics.begin(), turned.topics.end());
  for (const auto test : {SignificanceTest::kTukeyHsdParametric, SignificanceTest::kTTest, SignificanceTest::kWilcoxon,
                          SignificanceTest::kSign, SignificanceTest::kPermutation}) {
    const auto a = p_values(compare_systems(matrix, options_of(test, 1 << 12)));
    const auto b = p_values(compare_systems(turned, options_of(test, 1 << 12)));
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9) << test_name(test);
  }
}

TEST(CompareSystems, PairsStandByRankAndIntervalsHoldTheDifference) {
  const auto matrix = random_matrix(14, 6, 25, 0.1);
  for (const auto test : kAllTests) {
    const auto comparison = compare_systems(matrix, options_of(test));
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = i + 1; j < 6; ++j) {
        const auto& pair = comparison.at_ranks(i, j);
        EXPECT_EQ(pair.first, comparison.ranking[i]);
        EXPECT_EQ(pair.second, comparison.ranking[j]);
        EXPECT_GE(pair.difference, 0);
        EXPECT_LE(pair.low, pair.difference);
        EXPECT_GE(pair.high, pair.difference);
      }
    }
  }
}

TEST(CompareSystems, ATukeyDifferenceIsSignificantExactlyFromTheCriticalOneOn) {
  const auto matrix = random_matrix(15, 8, 30, 0.05);
  for (const auto test : {SignificanceTest::kTukeyHsd, SignificanceTest::kTukeyHsdParametric}) {
    const auto comparison = compare_systems(matrix, options_of(test, 20000));
    for (const auto& pair : comparison.pairs) {
      if (std::abs(pair.difference - *comparison.critical_difference) < 1e-6) continue;
      EXPECT_EQ(pair.significant, pair.difference > *comparison.critical_difference) << test_name(test);
    }
  }
}

TEST(CompareSystems, ARandomisedDifferenceIsSignificantExactlyIfItIsLargerThanTheCriticalOne) {
  // Scores of 0 and 1 give few different ranges, so that many differences equal the critical one.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto matrix = random_matrix(seed, 6, 9, 0);
    for (double& score : matrix.values) score = score < 0.5 ? 0 : 1;
    for (const std::uint64_t permutations : {19U, 20U, 99U, 999U, 1000U}) {
      const auto comparison = compare_systems(matrix, options_of(SignificanceTest::kTukeyHsd, permutations));
      for (const auto& pair : comparison.pairs)
        EXPECT_EQ(pair.significant, pair.difference > *comparison.critical_difference + 1e-9) << seed;
    }
  }
}

TEST(CompareSystems, ASampledPValueIsNeverZero) {
  ScoreMatrix matrix = random_matrix(2, 3, 40, 0);
  for (std::size_t t = 0; t < 40; ++t) matrix.values[t] += 5;
  for (const auto test : {SignificanceTest::kTukeyHsd, SignificanceTest::kBootstrap, SignificanceTest::kPermutation}) {
    const auto comparison = compare_systems(matrix, options_of(test, 999));
    EXPECT_DOUBLE_EQ(comparison.at_ranks(0, 1).p_value, 1.0 / 1000) << test_name(test);
  }
}

TEST(CompareSystems, IntervalsAreSimultaneousUnderACorrection) {
  const auto matrix = random_matrix(16, 7, 30, 0.06);
  for (const auto test : {SignificanceTest::kTTest, SignificanceTest::kBootstrap}) {
    auto options = options_of(test, 20000);
    EXPECT_FALSE(compare_systems(matrix, options).intervals.simultaneous);
    options.correction = Correction::kBonferroni;
    const auto bonferroni = compare_systems(matrix, options);
    EXPECT_TRUE(bonferroni.intervals.simultaneous);
    EXPECT_DOUBLE_EQ(bonferroni.intervals.alpha, 0.05 / 21);
    std::size_t significant = 0;
    for (const auto& pair : bonferroni.pairs) {
      significant += pair.significant;
      EXPECT_EQ(pair.low > 0, pair.significant) << test_name(test) << " " << pair.p_value;
    }
    EXPECT_GT(significant, 0U);
    EXPECT_LT(significant, bonferroni.pairs.size());
    for (const auto correction : {Correction::kHolm, Correction::kBenjaminiHochberg}) {
      options.correction = correction;
      EXPECT_EQ(compare_systems(matrix, options).pairs[3].low, bonferroni.pairs[3].low);
    }
  }
}

TEST(CompareSystems, BenjaminiHochbergHasIntervalsThatMatchItsDecisions) {
  const auto matrix = random_matrix(16, 7, 30, 0.06);
  for (const auto test : {SignificanceTest::kTTest, SignificanceTest::kBootstrap}) {
    auto options = options_of(test, 20000);
    options.correction = Correction::kHolm;
    EXPECT_FALSE(compare_systems(matrix, options).intervals.fcr_alpha.has_value());
    options.correction = Correction::kBenjaminiHochberg;
    const auto comparison = compare_systems(matrix, options);
    ASSERT_TRUE(comparison.intervals.fcr_alpha.has_value());
    EXPECT_TRUE(comparison.intervals.simultaneous);
    EXPECT_DOUBLE_EQ(*comparison.intervals.fcr_alpha, 0.05 * static_cast<double>(comparison.significant) / 21);
    EXPECT_GT(comparison.significant, 1U);
    EXPECT_LT(comparison.significant, 21U);
    std::size_t only_here = 0;  // significant, but with 0 in the simultaneous interval
    for (const auto& pair : comparison.pairs) {
      EXPECT_EQ(pair.fcr_low > 0, pair.significant) << test_name(test) << " " << pair.p_value;
      EXPECT_GE(pair.fcr_low, pair.low);
      EXPECT_LE(pair.fcr_high, pair.high);
      only_here += pair.significant && pair.low < 0;
    }
    EXPECT_GT(only_here, 0U);
  }
}

TEST(CompareSystems, WithoutASignificantPairTheLevelIsThatOfOne) {
  auto options = options_of(SignificanceTest::kTTest);
  options.correction = Correction::kBenjaminiHochberg;
  const auto comparison = compare_systems(random_matrix(3, 5, 20, 0), options);
  ASSERT_EQ(comparison.significant, 0U);
  EXPECT_DOUBLE_EQ(*comparison.intervals.fcr_alpha, 0.05 / 10);
  for (const auto& pair : comparison.pairs) EXPECT_LE(pair.fcr_low, 0);
}

TEST(CompareSystems, ResamplesThatAreTooFewForTheLevelGiveNoInterval) {
  auto options = options_of(SignificanceTest::kBootstrap, 200);
  options.correction = Correction::kBonferroni;  // 21 pairs: .05 / 21 is below 1 / 201
  const auto comparison = compare_systems(random_matrix(16, 7, 30, 0.06), options);
  for (const auto& pair : comparison.pairs) {
    EXPECT_FALSE(pair.significant);
    EXPECT_TRUE(std::isinf(pair.low) && pair.low < 0);
    EXPECT_TRUE(std::isinf(pair.high));
  }
}

TEST(CompareSystems, RefusesPermutationsThatCannotBeSignificant) {
  const auto matrix = random_matrix(1, 3, 25, 0);
  for (const auto test : {SignificanceTest::kTukeyHsd, SignificanceTest::kBootstrap, SignificanceTest::kPermutation}) {
    EXPECT_THROW(compare_systems(matrix, options_of(test, 18)), ConfigError);
    EXPECT_NO_THROW(compare_systems(matrix, options_of(test, 19)));
  }
  EXPECT_NO_THROW(compare_systems(random_matrix(1, 3, 4, 0), options_of(SignificanceTest::kPermutation, 16)));  // exact
}

TEST(CompareSystems, AtTheLevelItselfAPairIsSignificantHoweverTheTestIsComputed) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto matrix = random_matrix(seed, 2, 20 + seed, 0.05);
    auto options = options_of(SignificanceTest::kTTest);
    options.alpha = compare_systems(matrix, options).pairs[0].p_value;
    if (!(options.alpha > 0 && options.alpha < 1)) continue;
    EXPECT_TRUE(compare_systems(matrix, options).pairs[0].significant) << seed;
    EXPECT_TRUE(t_test_decisions(matrix.values, 2, matrix.topics.size(), options.alpha)[0].significant) << seed;
    options.alpha *= 1 - 1e-6;
    EXPECT_FALSE(compare_systems(matrix, options).pairs[0].significant) << seed;
    EXPECT_FALSE(t_test_decisions(matrix.values, 2, matrix.topics.size(), options.alpha)[0].significant) << seed;
  }
}

TEST(CountWins, RoundingIsATie) {
  const ScoreMatrix matrix{{"a", "b"}, {"1", "2", "3", "4"}, {.1, .2, .3, .4, .1 + 1e-14, .1, .4, .3}};
  const auto wins = count_wins(matrix, 0, 1);
  EXPECT_EQ(wins.won, 2U);
  EXPECT_EQ(wins.lost, 1U);
  EXPECT_EQ(wins.tied, 1U);
}

TEST(CompareSystems, RefusesWhatMakesNoSense) {
  const auto matrix = random_matrix(1, 3, 5, 0);
  auto options = options_of(SignificanceTest::kTukeyHsd);
  options.correction = Correction::kHolm;
  EXPECT_THROW(compare_systems(matrix, options), ConfigError);
  options = options_of(SignificanceTest::kTTest);
  options.alpha = 1;
  EXPECT_THROW(compare_systems(matrix, options), ConfigError);
  EXPECT_THROW(compare_systems(random_matrix(1, 1, 5, 0), options_of(SignificanceTest::kTTest)), ConfigError);
  EXPECT_THROW(compare_systems(random_matrix(1, 3, 1, 0), options_of(SignificanceTest::kTTest)), ConfigError);
  EXPECT_THROW(compare_systems(matrix, options_of(SignificanceTest::kTukeyHsd, 0)), ConfigError);
}

TEST(Corrections, AreTheTextbookValues) {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005};
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
  };
  near(corrected(p, Correction::kNone), p);
  near(corrected(p, Correction::kBonferroni), {0.04, 0.16, 0.12, 0.02});
  near(corrected(p, Correction::kHolm), {0.03, 0.06, 0.06, 0.02});
  near(corrected(p, Correction::kBenjaminiHochberg), {0.02, 0.04, 0.04, 0.02});
}

// TREC-8 ad hoc runs. Published: 966, 509 (another random stream); an independent program: 961, 504, 2669.
TEST(PublishedNumbers, RandomisedTukeyOfTrec8) {
  struct {
    const char* file;
    std::size_t pairs, significant;
    double critical;
  } const cases[] = {{"t8_pooled71.txt", 2485, 961, .13203},
                     {"t8_nonpooled58.txt", 1653, 504, .11396},
                     {"t8_all129.txt", 8256, 2669, .13296}};
  for (const auto& c : cases) {
    const auto path = touchstone::testing::shared_data() / "stats" / "trec8-ap-matrix" / c.file;
    TS_NEED_DATA(path);
    auto options = options_of(SignificanceTest::kTukeyHsd, 100000);
    options.threads = 0;
    const auto comparison = compare_systems(statistics::read_score_matrix(path), options);
    EXPECT_EQ(comparison.pairs.size(), c.pairs);
    EXPECT_NEAR(static_cast<double>(comparison.significant), static_cast<double>(c.significant),
                0.005 * static_cast<double>(c.significant));
    EXPECT_NEAR(*comparison.critical_difference, c.critical, 0.0005);
  }
}

TEST(PublishedNumbers, ParametricTukeyOfTrec8) {
  const auto path = touchstone::testing::shared_data() / "stats" / "trec8-ap-matrix" / "t8_pooled71.txt";
  TS_NEED_DATA(path);
  EXPECT_EQ(compare_systems(statistics::read_score_matrix(path), options_of(SignificanceTest::kTukeyHsdParametric))
                .significant,
            1194U);
}

}  // namespace
}  // namespace touchstone::analysis::significance
