#include "analysis/votes/majority.hpp"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::votes {
namespace {

TEST(MajorityGrade, AUniqueModeWinsAndTiesGoByTheRule) {
  EXPECT_EQ(majority_grade(std::vector{1, 0, 1}, TieRule::kNone), 1);
  EXPECT_EQ(majority_grade(std::vector{3, 0, 3, 0, 2}, TieRule::kLowest), 0);
  EXPECT_EQ(majority_grade(std::vector{3, 0, 3, 0, 2}, TieRule::kHighest), 3);
  EXPECT_EQ(majority_grade(std::vector{3, 0}, TieRule::kNone), std::nullopt);
  EXPECT_EQ(majority_grade(std::vector<int>{}, TieRule::kLowest), std::nullopt);
}

}  // namespace
}  // namespace touchstone::analysis::votes
