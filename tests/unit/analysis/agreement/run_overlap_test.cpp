#include "analysis/agreement/run_overlap.hpp"

#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::agreement {
namespace {

TEST(RunOverlap, AverageOverlapByHand) {
  const std::uint64_t a[] = {1, 2, 3}, b[] = {2, 1, 4};
  // Common down to depth 1, 2, 3: 0, 2, 2.
  const auto overlap = internal::topic_overlap(a, b, 3);
  EXPECT_NEAR(overlap.average, (0 + 1 + 2.0 / 3) / 3, 1e-12);
  EXPECT_NEAR(overlap.top_ten, 2.0 / 3, 1e-12);
  EXPECT_NEAR(internal::topic_overlap(a, b, 2).average, .5, 1e-12);
  EXPECT_NEAR(internal::topic_overlap(a, a, 100).average, 1, 1e-12);
}

TEST(RunOverlap, ListsOfDifferentLengthsAreComparedDownToTheLongerOne) {
  const std::uint64_t a[] = {1}, b[] = {1, 2};
  EXPECT_NEAR(internal::topic_overlap(a, b, 100).average, .75, 1e-12);
  EXPECT_EQ(internal::topic_overlap({}, b, 100).average, 0);
}

TEST(RunOverlap, MeansAreOverTopicsThatOneOfTheTwoHas) {
  const touchstone::testing::TemporaryFolder folder;
  touchstone::testing::write_text(folder / "a.run", "1 Q0 x 1 2 a\n2 Q0 y 1 2 a\n");
  touchstone::testing::write_text(folder / "b.run", "1 Q0 x 1 2 b\n3 Q0 y 1 2 b\n");
  const NamedRun runs[] = {{"a", folder / "a.run"}, {"b", folder / "b.run"}};
  const auto overlap = run_overlap(runs, 10);
  EXPECT_EQ(overlap.topics, 3U);
  EXPECT_NEAR(overlap.at(overlap.average_overlap, 0, 1), 1.0 / 3, 1e-12);
  EXPECT_NEAR(overlap.at(overlap.average_overlap, 1, 0), 1.0 / 3, 1e-12);
  EXPECT_EQ(overlap.at(overlap.average_overlap, 0, 0), 1);
}

}  // namespace
}  // namespace touchstone::analysis::agreement
