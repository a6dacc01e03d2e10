#include "analysis/agreement/rank_correlation.hpp"
#include "common/error.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

TEST(Correlate, PairsUseCommonSystemsAndOverlapsUseAll) {
  const auto correlation = correlate({{"a", "b", "c", "x"}, {4, 3, 2, 1}}, {{"c", "b", "a"}, {1, 2, 3}}, 0.9);
  EXPECT_EQ(correlation.common, 3U);
  EXPECT_EQ(correlation.only_first, 1U);
  EXPECT_EQ(correlation.only_second, 0U);
  EXPECT_EQ(correlation.pairs.pairs, 3U);
  EXPECT_DOUBLE_EQ(correlation.tau_b, 1);
  EXPECT_GT(correlation.rbo_a.residual, 0);  // the second ranking ends before the fourth rank
}

TEST(Correlate, NeedsTwoCommonSystems) {
  EXPECT_THROW(correlate({{"a", "b"}, {2, 1}}, {{"a", "c"}, {2, 1}}, 0.9), Error);
}

}  // namespace
}  // namespace touchstone::analysis::agreement
