#include "pipeline/passages/near_duplicates/overlap.hpp"

#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

using Hashes = std::vector<std::uint64_t>;

TEST(OverlapCriterion, TheThresholdItselfCounts) {
  const Hashes a{1, 2, 3}, b{2, 3, 4}, c{3, 4, 5};
  const OverlapCriterion jaccard(OverlapMeasure::kJaccard, 0.5);
  EXPECT_TRUE(jaccard.holds(a, b));   // 2 of 4
  EXPECT_FALSE(jaccard.holds(a, c));  // 1 of 5
  EXPECT_TRUE(OverlapCriterion(OverlapMeasure::kJaccard, 0.2).holds(a, c));
}

TEST(OverlapCriterion, EmptySetsHaveNoOverlap) {
  const Hashes a{1}, none;
  for (const auto measure : {OverlapMeasure::kJaccard, OverlapMeasure::kDice, OverlapMeasure::kContainment}) {
    EXPECT_FALSE(OverlapCriterion(measure, 0.1).holds(a, none));
    EXPECT_FALSE(OverlapCriterion(measure, 0.1).holds(none, none));
  }
}

TEST(OverlapCriterion, DecidesAsTheOverlapItselfForAllSizesAndThresholds) {
  std::mt19937 random(1);  // the seed
  for (int round = 0; round < 20000; ++round) {
    std::set<std::uint64_t> chosen_a, chosen_b;
    const auto bound = 1 + random() % 20;
    for (auto i = 1 + random() % 12; i > 0; --i) chosen_a.insert(random() % bound);
    for (auto i = 1 + random() % 12; i > 0; --i) chosen_b.insert(random() % bound);
    const Hashes a(chosen_a.begin(), chosen_a.end()), b(chosen_b.begin(), chosen_b.end());
    const double threshold = static_cast<double>(1 + random() % 12) / 12;
    for (const auto measure : {OverlapMeasure::kJaccard, OverlapMeasure::kDice, OverlapMeasure::kContainment}) {
      const OverlapCriterion criterion(measure, threshold);
      const std::size_t shared = count_shared(a, b);
      const bool expected = shared > 0 && criterion.overlap(shared, a.size(), b.size()) >= threshold;
      ASSERT_EQ(criterion.holds(a, b), expected) << shared << " of " << a.size() << " and " << b.size();
      ASSERT_EQ(criterion.holds(b, a), expected);
    }
  }
}

TEST(OverlapCriterion, KnowsTheLeastJaccardCoefficientOfNearDuplicates) {
  EXPECT_DOUBLE_EQ(OverlapCriterion(OverlapMeasure::kJaccard, 0.5).least_jaccard(), 0.5);
  EXPECT_DOUBLE_EQ(OverlapCriterion(OverlapMeasure::kDice, 0.5).least_jaccard(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(OverlapCriterion(OverlapMeasure::kContainment, 0.5).least_jaccard(), 0.2);
}

}  // namespace
}  // namespace touchstone::pipeline::passages::near_duplicates
