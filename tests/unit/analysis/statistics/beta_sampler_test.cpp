#include "analysis/statistics/beta_sampler.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::statistics {
namespace {

struct Shape {
  double alpha, beta;
};
class DrawBeta : public ::testing::TestWithParam<Shape> {};

TEST_P(DrawBeta, HasTheMeanAndVarianceOfTheDistribution) {
  const auto [alpha, beta] = GetParam();
  Random random(7);
  constexpr int kDraws = 200'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draw_beta(alpha, beta, random);
    ASSERT_GE(x, 0);
    ASSERT_LE(x, 1);
    sum += x;
    squares += x * x;
  }
  const double total = alpha + beta, mean = alpha / total;
  const double variance = alpha * beta / (total * total * (total + 1));
  EXPECT_NEAR(sum / kDraws, mean, 5 * std::sqrt(variance / kDraws));
  EXPECT_NEAR(squares / kDraws - sum / kDraws * sum / kDraws, variance, 0.03 * variance);
}

INSTANTIATE_TEST_SUITE_P(Shapes, DrawBeta,
                         ::testing::Values(Shape{1, 1}, Shape{1, 5}, Shape{3, 2}, Shape{1.5, 1}, Shape{60, 40},
                                           Shape{0.5, 0.5}, Shape{0.1, 6.9}, Shape{5.2, 0.2}));

struct Trials {
  std::uint64_t count;
  double share;
};
class DrawBinomial : public ::testing::TestWithParam<Trials> {};

TEST_P(DrawBinomial, HasTheMeanAndVarianceOfTheDistribution) {
  const auto [count, share] = GetParam();
  Random random(11);
  constexpr int kDraws = 100'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto drawn = draw_binomial(count, share, random);
    ASSERT_LE(drawn, count);
    const double x = static_cast<double>(drawn);
    sum += x;
    squares += x * x;
  }
  const double mean = static_cast<double>(count) * share, variance = mean * (1 - share);
  EXPECT_NEAR(sum / kDraws, mean, 5 * std::sqrt(variance / kDraws));
  EXPECT_NEAR(squares / kDraws - sum / kDraws * sum / kDraws, variance, 0.03 * variance);
}

INSTANTIATE_TEST_SUITE_P(Trials, DrawBinomial,
                         ::testing::Values(Trials{1, 0.3}, Trials{10, 0.5}, Trials{40, 0.9}, Trials{5000, 0.001},
                                           Trials{100'000, 0.2}, Trials{300, 0.95}));

TEST(DrawBinomial, GivesAllOrNothingWhereTheShareIsOneOrZero) {
  Random random(1);
  EXPECT_EQ(draw_binomial(12, 0, random), 0u);
  EXPECT_EQ(draw_binomial(12, 1, random), 12u);
  EXPECT_EQ(draw_binomial(0, 0.5, random), 0u);
}

}  // namespace
}  // namespace touchstone::analysis::statistics
