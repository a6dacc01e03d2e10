#include "analysis/agreement/coefficients.hpp"
#include "common/error.hpp"
#include "tests/unit/analysis/agreement/sample_ratings.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

using testing::ratings_of;

TEST(MeasureAgreement, KrippendorffAlphaUsesItemsThatAnAssessorMissed) {
  const auto ratings = ratings_of({{0, 0, 0}, {1, 1, 1}, {3, 3, Ratings::kMissing}});
  const auto agreement = measure_agreement(ratings, {});
  EXPECT_EQ(agreement.complete_items, 2U);
  ASSERT_EQ(agreement.all_grades.size(), agreement.two_grades.size());
  for (std::size_t i = 0; i < agreement.all_grades.size(); ++i)
    EXPECT_EQ(agreement.all_grades[i].name, agreement.two_grades[i].name);
  // Without the third item there is only one grade below 2, so that kappa is undefined and alpha is not.
  EXPECT_TRUE(std::isnan(agreement.two_grades[2].value)) << agreement.two_grades[2].name;
  EXPECT_EQ(agreement.two_grades[6].value, 1) << agreement.two_grades[6].name;
}

TEST(MeasureAgreement, NeedsAnItemThatAllAssessorsJudged) {
  EXPECT_THROW(measure_agreement(ratings_of({{0, Ratings::kMissing}, {Ratings::kMissing, 1}}), {}), Error);
}

}  // namespace
}  // namespace touchstone::analysis::agreement
