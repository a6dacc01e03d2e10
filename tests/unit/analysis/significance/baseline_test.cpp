#include "analysis/significance/significance.hpp"
#include "common/error.hpp"
#include "tests/unit/analysis/significance/random_matrix.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace touchstone::analysis::significance {
namespace {

using testing::random_matrix;

CompareOptions options_of(SignificanceTest test, Correction correction) {
  CompareOptions options;
  options.test = test;
  options.correction = correction;
  options.permutations = 2000;
  options.threads = 2;
  return options;
}

TEST(Baseline, TestsEachSystemOnceAndCorrectsOverThesePairsOnly) {
  const auto scores = random_matrix(5, 6, 25, 0.05);
  const auto pairs = compare_systems(scores, options_of(SignificanceTest::kTTest, Correction::kNone));
  const auto against = compare_with_baseline(scores, 2, options_of(SignificanceTest::kTTest, Correction::kBonferroni));
  ASSERT_EQ(against.systems.size(), 5U);
  EXPECT_EQ(against.of(2), nullptr);
  for (const auto& row : against.systems) {
    const auto& pair = pairs.of(row.system, 2);
    EXPECT_DOUBLE_EQ(row.raw_p_value, pair.raw_p_value);
    EXPECT_DOUBLE_EQ(row.p_value, std::min(1.0, 5 * pair.raw_p_value));
    EXPECT_NEAR(row.difference, against.means[row.system] - against.means[2], 1e-12);
    EXPECT_EQ(row.difference > 0, row.effect_size > 0);
    EXPECT_EQ(row.wins.won + row.wins.lost + row.wins.tied, 25U);
    EXPECT_EQ(row.significant, row.low > 0 || row.high < 0);  // Bonferroni's intervals
  }
}

TEST(Baseline, AllSingleTestsGiveTheSameRawPValuesAsAmongAllPairs) {
  const auto scores = random_matrix(6, 4, 12, 0.1);
  for (const auto test : {SignificanceTest::kTTest, SignificanceTest::kWilcoxon, SignificanceTest::kSign,
                          SignificanceTest::kBootstrap, SignificanceTest::kPermutation}) {
    const auto pairs = compare_systems(scores, options_of(test, Correction::kNone));
    const auto against = compare_with_baseline(scores, 0, options_of(test, Correction::kNone));
    for (const auto& row : against.systems)
      EXPECT_NEAR(row.p_value, pairs.of(row.system, 0).p_value, 1e-12) << test_name(test);
  }
}

TEST(Baseline, TestsOfAllPairsAreRefused) {
  const auto scores = random_matrix(7, 4, 12, 0.1);
  EXPECT_THROW(compare_with_baseline(scores, 0, options_of(SignificanceTest::kTukeyHsd, Correction::kNone)),
               ConfigError);
}

}  // namespace
}  // namespace touchstone::analysis::significance
