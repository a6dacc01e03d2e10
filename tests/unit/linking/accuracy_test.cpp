#include "linking/accuracy.hpp"

#include <gtest/gtest.h>

namespace touchstone::linking {
namespace {

TEST(Accuracy, RatesAreThoseOfTheCounts) {
  const Agreement agreement{6, 2, 4};
  EXPECT_DOUBLE_EQ(agreement.precision(), 0.75);
  EXPECT_DOUBLE_EQ(agreement.recall(), 0.6);
  EXPECT_DOUBLE_EQ(agreement.f1(), 12.0 / 18);
  EXPECT_EQ(Agreement{}.f1(), 0);
}

TEST(Accuracy, AFurtherMentionOfALinkedEntityIsNeitherRightNorWrong) {
  // The editors linked the mention at 5; the linker found one before and two behind it as well.
  const auto page = compare_with_editors({{0, 1, 3, "A"}, {0, 5, 7, "A"}, {1, 0, 2, "A"}}, {{0, 5, 7, "A"}}, "Own");
  EXPECT_EQ(page.mentions, (Agreement{1, 0, 0}));
  EXPECT_EQ(page.entities, (Agreement{1, 0, 0}));
}

TEST(Accuracy, AnotherMentionDoesNotStandForTheLinkedOne) {
  const auto page = compare_with_editors({{1, 0, 2, "A"}}, {{0, 5, 7, "A"}}, "Own");
  EXPECT_EQ(page.mentions, (Agreement{0, 0, 1}));
  EXPECT_EQ(page.entities, (Agreement{1, 0, 0}));
}

TEST(Accuracy, AnEntityThatIsNotLinkedIsWrongOnce) {
  const auto page = compare_with_editors({{0, 1, 3, "B"}, {0, 9, 11, "B"}}, {{0, 5, 7, "A"}}, "Own");
  EXPECT_EQ(page.mentions, (Agreement{0, 1, 1}));
  EXPECT_EQ(page.entities, (Agreement{0, 1, 1}));
}

TEST(Accuracy, AWrongMeaningIsWrongAndTheRightOneMissed) {
  const auto page = compare_with_editors({{0, 5, 7, "B"}}, {{0, 5, 7, "A"}}, "Own");
  EXPECT_EQ(page.mentions, (Agreement{0, 1, 1}));
}

TEST(Accuracy, ThePageItselfDoesNotCount) {
  const auto page = compare_with_editors({{0, 1, 3, "Own"}}, {{0, 5, 7, "Own"}}, "Own");
  EXPECT_EQ(page.mentions, Agreement{});
  EXPECT_EQ(page.entities, Agreement{});
}

TEST(Accuracy, AcceptableLabelsAreNeitherRightNorWrong) {
  EXPECT_EQ(compare_labels({"a", "b", "c", "c"}, {"a", "d"}, {"a", "b", "d"}), (Agreement{1, 1, 1}));
}

}  // namespace
}  // namespace touchstone::linking
