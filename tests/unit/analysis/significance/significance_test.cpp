#include "analysis/significance/significance.hpp"

#include "analysis/significance/paired_tests.hpp"
#include "analysis/significance/randomised_tukey.hpp"
#include "analysis/statistics/random.hpp"
#include "common/error.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace touchstone::analysis::significance {
namespace {

using statistics::ScoreMatrix;

using Differences = std::vector<double>;

/// Scores around a topic's level, system s better by s * step.
ScoreMatrix random_matrix(std::uint64_t seed, std::size_t systems, std::size_t topics, double step) {
  statistics::Random random(seed);
  ScoreMatrix matrix;
  for (std::size_t s = 0; s < systems; ++s) matrix.systems.push_back("s" + std::to_string(s));
  for (std::size_t t = 0; t < topics; ++t) matrix.topics.push_back("t" + std::to_string(t));
  for (std::size_t s = 0; s < systems; ++s)
    for (std::size_t t = 0; t < topics; ++t)
      matrix.values.push_back(static_cast<double>(random.below(10000)) / 10000 + step * static_cast<double>(s));
  return matrix;
}

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

TEST(TTest, IsTheTextbookValue) {
  // Mean 2, deviation sqrt(2.5), t = 2 / sqrt(0.5) with 4 degrees of freedom.
  EXPECT_NEAR(internal::t_test(Differences{0, 1, 2, 3, 4}), 0.0474207, 1e-7);
  EXPECT_EQ(internal::t_test(Differences{1, 1, 1}), 0);
  EXPECT_EQ(internal::t_test(Differences{0, 0, 0}), 1);
}

TEST(Wilcoxon, SmallSamplesAreExact) {
  EXPECT_DOUBLE_EQ(internal::wilcoxon_test(Differences{1, 2, 3, 4, 5}), 2.0 / 32);
  EXPECT_DOUBLE_EQ(internal::wilcoxon_test(Differences{-1, 2, 3, 4, 5}), 4.0 / 32);
  EXPECT_DOUBLE_EQ(internal::wilcoxon_test(Differences{0, 0, 1, 2, 3, 4, 5}), 2.0 / 32);  // zeros are left out
  EXPECT_EQ(internal::wilcoxon_test(Differences{0, 0}), 1);
}

TEST(Wilcoxon, TiesAreExactToo) {
  // All of the same size: the sign test.
  EXPECT_DOUBLE_EQ(internal::wilcoxon_test(Differences{1, 1, 1, 1, -1}),
                   internal::sign_test(Differences{1, 1, 1, 1, -1}));
}

TEST(Wilcoxon, LargeSamplesApproachTheExactValue) {
  Differences at_limit, above;
  statistics::Random random(5);
  for (int i = 0; i < 50; ++i) at_limit.push_back(static_cast<double>(random.below(2000)) - 800.5);
  above = at_limit;
  above.push_back(0.25);
  EXPECT_NEAR(internal::wilcoxon_test(above), internal::wilcoxon_test(at_limit), 0.01);
}

TEST(SignTest, IsTwoSidedBinomial) {
  EXPECT_NEAR(internal::sign_test(Differences{1, 2, 3, 4, 5, 6, 7, 8, -1, -2}), 2 * 56.0 / 1024, 1e-12);
  EXPECT_DOUBLE_EQ(internal::sign_test(Differences{1, -1, 0}), 1);
}

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

TEST(RandomisedTukey, RangesComeFromUniformPermutations) {
  // Three systems, two topics with scores 0 1 2: the sums are those of a Latin arrangement; by hand, 6 equally likely
  // arrangements of the second topic against the first: ranges 4 (once), 3 (twice), 2 (twice), 0 (once).
  const ScoreMatrix matrix{{"a", "b", "c"}, {"1", "2"}, {0, 0, 1, 1, 2, 2}};
  const auto ranges = internal::permuted_ranges(internal::to_fixed(matrix), 60000, 7, 2);
  std::map<int, double> share;
  for (const auto range : ranges) share[range] += 1.0 / 60000;
  ASSERT_EQ(share.size(), 4U);
  EXPECT_NEAR(share[0], 1.0 / 6, 0.01);
  EXPECT_NEAR(share[2], 2.0 / 6, 0.01);
  EXPECT_NEAR(share[3], 2.0 / 6, 0.01);
  EXPECT_NEAR(share[4], 1.0 / 6, 0.01);
}

TEST(RandomisedTukey, OddAndEvenNumbersOfSystemsDealAllScores) {
  for (std::size_t systems = 2; systems <= 9; ++systems) {
    // One topic has a single score of 1: wherever it goes, the range is 1 more than 0; with a second such topic it is
    // 2 in one of `systems` cases.
    ScoreMatrix matrix = random_matrix(1, systems, 2, 0);
    std::fill(matrix.values.begin(), matrix.values.end(), 0);
    matrix.values[0] = matrix.values[1] = 1;
    const auto ranges = internal::permuted_ranges(internal::to_fixed(matrix), 40000, systems, 1);
    const auto twos = static_cast<double>(std::count(ranges.begin(), ranges.end(), 2));
    EXPECT_NEAR(twos / 40000, 1.0 / static_cast<double>(systems), 0.01) << systems;
  }
}

TEST(RandomisedTukey, DecimalsAreKeptExactly) {
  const auto fixed = internal::to_fixed({{"a", "b"}, {"1", "2"}, {0.1234, 0.5, 0.4321, 0.25}});
  EXPECT_EQ(fixed.scale, 10000);
  EXPECT_EQ(fixed.tolerance, 0);
  EXPECT_EQ(fixed.values, (std::vector<std::int32_t>{0, 3087, 2500, 0}));
  EXPECT_GT(internal::to_fixed({{"a", "b"}, {"1", "2"}, {1 / 3.0, 0.5, 0.4321, 0.25}}).tolerance, 0);
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
    const auto path = testing::shared_data() / "stats" / "trec8-ap-matrix" / c.file;
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
  const auto path = testing::shared_data() / "stats" / "trec8-ap-matrix" / "t8_pooled71.txt";
  TS_NEED_DATA(path);
  EXPECT_EQ(compare_systems(statistics::read_score_matrix(path), options_of(SignificanceTest::kTukeyHsdParametric))
                .significant,
            1194U);
}

}  // namespace
}  // namespace touchstone::analysis::significance
