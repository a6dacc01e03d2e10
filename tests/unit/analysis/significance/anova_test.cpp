#include "analysis/significance/significance.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::significance {
namespace {

TEST(TwoWayAnova, IsTheHandWorkedTable) {
  // Means 1, 2, 6 over systems; 2, 4 over topics; all residuals are 0 except those of the second system.
  const auto anova = two_way_anova({{"a", "b", "c"}, {"1", "2"}, {0, 2, 2, 2, 4, 8}});
  // Grand mean 3; systems 2 * (4 + 1 + 9) / 2, topics 3 * (1 + 1) / 1, residual 4 / 2 with residuals 0, 1, -1 twice.
  EXPECT_DOUBLE_EQ(anova.mean_square_systems, 14);
  EXPECT_DOUBLE_EQ(anova.mean_square_topics, 6);
  EXPECT_DOUBLE_EQ(anova.mean_square_residual, 2);
  EXPECT_DOUBLE_EQ(anova.f_systems, 7);
  EXPECT_NEAR(anova.p_systems, 0.125, 1e-12);  // F with 2 and 2 degrees of freedom: 1 / (1 + F)
}

}  // namespace
}  // namespace touchstone::analysis::significance
