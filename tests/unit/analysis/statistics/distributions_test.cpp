#include "analysis/statistics/distributions.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace touchstone::analysis::statistics {
namespace {

TEST(Distributions, NormalMatchesTables) {
  EXPECT_NEAR(normal_cdf(1.959963985), 0.975, 1e-9);
  EXPECT_NEAR(normal_cdf(-3), 0.0013498980, 1e-10);
  EXPECT_EQ(normal_cdf(0), 0.5);
}

TEST(Distributions, StudentsTMatchesTables) {
  EXPECT_NEAR(t_critical(0.05, 1), 12.7062047, 1e-7);
  EXPECT_NEAR(t_critical(0.05, 49), 2.0095752, 1e-7);
  EXPECT_NEAR(t_two_sided(1, 1), 0.5, 1e-12);  // Cauchy: half lies beyond one
  EXPECT_EQ(t_two_sided(0, 7), 1);
  EXPECT_EQ(t_two_sided(std::numeric_limits<double>::infinity(), 7), 0);
  EXPECT_GT(t_critical(std::numeric_limits<double>::denorm_min(), 1), 1e300);
}

TEST(Distributions, FMatchesTablesAndItsLimitChiSquare) {
  EXPECT_NEAR(f_quantile(0.95, 1, 48), 4.0426521, 1e-6);
  EXPECT_NEAR(f_quantile(0.95, 10, std::numeric_limits<double>::infinity()), 1.8307038, 1e-6);
  EXPECT_NEAR(f_upper(f_quantile(0.3, 5, 7), 5, 7), 0.7, 1e-10);
}

TEST(Distributions, FairCoinIsBinomial) {
  EXPECT_NEAR(fair_coin_lower(2, 10), 56.0 / 1024, 1e-12);
  EXPECT_EQ(fair_coin_lower(10, 10), 1);
  EXPECT_EQ(fair_coin_lower(-1, 10), 0);
}

TEST(Distributions, StudentisedRangeMatchesTables) {
  EXPECT_NEAR(studentised_range_critical(0.05, 3, 10), 3.877676, 2e-3);
  EXPECT_NEAR(studentised_range_critical(0.05, 10, 20), 5.008, 1e-3);
  EXPECT_NEAR(studentised_range_critical(0.05, 2, 1), 17.97, 5e-3);
  EXPECT_NEAR(studentised_range_critical(0.05, 3, 1), 26.98, 1e-2);
}

TEST(Distributions, StudentisedRangeOfTwoMeansIsStudentsT) {
  for (const double df : {1.0, 2.0, 5.0, 10.0, 49.0, 100.0, 3430.0})
    for (const double t : {0.5, 1.0, 2.0, 4.0})
      EXPECT_NEAR(studentised_range_upper(t * std::sqrt(2.0), 2, df), t_two_sided(t, df), 2e-8) << t << " " << df;
}

}  // namespace
}  // namespace touchstone::analysis::statistics
