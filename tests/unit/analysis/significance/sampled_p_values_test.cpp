#include "analysis/significance/paired_tests.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::significance::internal {
namespace {

TEST(SampledPValue, CountsTheObservedDataAsOneSample) {
  EXPECT_DOUBLE_EQ(sampled_p_value(0, 999), 0.001);
  EXPECT_DOUBLE_EQ(sampled_p_value(49, 999), 0.05);
  EXPECT_DOUBLE_EQ(sampled_p_value(999, 999), 1);
}

TEST(MostSamplesReached, IsTheLastCountThatIsSignificant) {
  for (const double alpha : {.5, .1, .05, .01, .001, .0004}) {
    for (std::uint64_t drawn : {1U, 18U, 19U, 20U, 99U, 999U, 1000U, 2485U, 100000U}) {
      const auto most = most_samples_reached(alpha, drawn);
      if (!most) {
        EXPECT_GT(sampled_p_value(0, drawn), alpha);
        continue;
      }
      EXPECT_LE(sampled_p_value(*most, drawn), alpha) << alpha << " " << drawn;
      EXPECT_TRUE(*most == drawn || sampled_p_value(*most + 1, drawn) > alpha) << alpha << " " << drawn;
    }
  }
}

}  // namespace
}  // namespace touchstone::analysis::significance::internal
