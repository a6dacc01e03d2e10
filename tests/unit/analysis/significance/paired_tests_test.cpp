#include "analysis/significance/paired_tests.hpp"

#include "analysis/statistics/random.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::significance::internal {
namespace {

using Differences = std::vector<double>;

TEST(TTest, IsTheTextbookValue) {
  // Mean 2, deviation sqrt(2.5), t = 2 / sqrt(0.5) with 4 degrees of freedom.
  EXPECT_NEAR(t_test(Differences{0, 1, 2, 3, 4}), 0.0474207, 1e-7);
  EXPECT_EQ(t_test(Differences{1, 1, 1}), 0);
  EXPECT_EQ(t_test(Differences{0, 0, 0}), 1);
}

TEST(Wilcoxon, SmallSamplesAreExact) {
  EXPECT_DOUBLE_EQ(wilcoxon_test(Differences{1, 2, 3, 4, 5}), 2.0 / 32);
  EXPECT_DOUBLE_EQ(wilcoxon_test(Differences{-1, 2, 3, 4, 5}), 4.0 / 32);
  EXPECT_DOUBLE_EQ(wilcoxon_test(Differences{0, 0, 1, 2, 3, 4, 5}), 2.0 / 32);  // zeros are left out
  EXPECT_EQ(wilcoxon_test(Differences{0, 0}), 1);
}

TEST(Wilcoxon, TiesAreExactToo) {
  // All of the same size: the sign test.
  EXPECT_DOUBLE_EQ(wilcoxon_test(Differences{1, 1, 1, 1, -1}), sign_test(Differences{1, 1, 1, 1, -1}));
}

TEST(Wilcoxon, LargeSamplesApproachTheExactValue) {
  Differences at_limit, above;
  statistics::Random random(5);
  for (int i = 0; i < 50; ++i) at_limit.push_back(static_cast<double>(random.below(2000)) - 800.5);
  above = at_limit;
  above.push_back(0.25);
  EXPECT_NEAR(wilcoxon_test(above), wilcoxon_test(at_limit), 0.01);
}

TEST(SignTest, IsTwoSidedBinomial) {
  EXPECT_NEAR(sign_test(Differences{1, 2, 3, 4, 5, 6, 7, 8, -1, -2}), 2 * 56.0 / 1024, 1e-12);
  EXPECT_DOUBLE_EQ(sign_test(Differences{1, -1, 0}), 1);
}

}  // namespace
}  // namespace touchstone::analysis::significance::internal
