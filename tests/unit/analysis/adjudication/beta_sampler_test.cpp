#include "analysis/adjudication/beta_sampler.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::adjudication::internal {
namespace {

struct Shape {
  double alpha, beta;
};
class DrawBeta : public ::testing::TestWithParam<Shape> {};

TEST_P(DrawBeta, HasTheMeanAndVarianceOfTheDistribution) {
  const auto [alpha, beta] = GetParam();
  statistics::Random random(7);
  constexpr int kDraws = 200'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draw_beta(alpha, beta, random);
    ASSERT_GT(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  const double total = alpha + beta, mean = alpha / total;
  const double variance = alpha * beta / (total * total * (total + 1));
  EXPECT_NEAR(sum / kDraws, mean, 5 * std::sqrt(variance / kDraws));
  EXPECT_NEAR(squares / kDraws - sum / kDraws * sum / kDraws, variance, 0.03 * variance);
}

INSTANTIATE_TEST_SUITE_P(Shapes, DrawBeta,
                         ::testing::Values(Shape{1, 1}, Shape{1, 5}, Shape{3, 2}, Shape{1.5, 1}, Shape{60, 40}));

}  // namespace
}  // namespace touchstone::analysis::adjudication::internal
