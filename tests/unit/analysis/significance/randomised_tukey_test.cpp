#include "analysis/significance/randomised_tukey.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::significance::internal {
namespace {

using statistics::ScoreMatrix;

TEST(RandomisedTukey, RangesComeFromUniformPermutations) {
  // Three systems, two topics with scores 0 1 2: the sums are those of a Latin arrangement; by hand, 6 equally likely
  // arrangements of the second topic against the first: ranges 4 (once), 3 (twice), 2 (twice), 0 (once).
  const ScoreMatrix matrix{{"a", "b", "c"}, {"1", "2"}, {0, 0, 1, 1, 2, 2}};
  const auto ranges = permuted_ranges(to_fixed(matrix), 60000, 7, 2);
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
    ScoreMatrix matrix{std::vector<std::string>(systems), {"1", "2"}, std::vector<double>(2 * systems)};
    matrix.values[0] = matrix.values[1] = 1;
    const auto ranges = permuted_ranges(to_fixed(matrix), 40000, systems, 1);
    const auto twos = static_cast<double>(std::count(ranges.begin(), ranges.end(), 2));
    EXPECT_NEAR(twos / 40000, 1.0 / static_cast<double>(systems), 0.01) << systems;
  }
}

TEST(RandomisedTukey, DecimalsAreKeptExactly) {
  const auto fixed = to_fixed({{"a", "b"}, {"1", "2"}, {0.1234, 0.5, 0.4321, 0.25}});
  EXPECT_EQ(fixed.scale, 10000);
  EXPECT_EQ(fixed.tolerance, 0);
  EXPECT_EQ(fixed.values, (std::vector<std::int32_t>{0, 3087, 2500, 0}));
  EXPECT_GT(to_fixed({{"a", "b"}, {"1", "2"}, {1 / 3.0, 0.5, 0.4321, 0.25}}).tolerance, 0);
}

}  // namespace
}  // namespace touchstone::analysis::significance::internal
