#include "pipeline/evidence/equal_groups.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

Group group_of(const std::string& page, const std::vector<std::uint32_t>& members) {
  Group group;
  group.topic = group.page = group.structured = page;
  for (const auto member : members) group.members.push_back({PageId{member}, std::to_string(member), ""});
  return group;
}

TEST(EqualGroups, TheLargerStaysAndTheOtherNamesIt) {
  std::vector<Group> groups = {group_of("Draft", {1, 2, 3, 4}), group_of("List", {1, 2, 3, 4, 5}),
                               group_of("Other", {1, 2, 3})};
  discard_equal_groups(groups, 0.8);
  EXPECT_EQ(groups[0].discarded, DiscardReason::kSameMembers);
  EXPECT_EQ(groups[0].detail, "4 of 5 in topic List: List");
  EXPECT_TRUE(groups[1].kept());
  EXPECT_TRUE(groups[2].kept()) << "3 of 5 members are too few";
}

TEST(EqualGroups, ZeroKeepsAll) {
  std::vector<Group> groups = {group_of("A", {1, 2}), group_of("B", {1, 2})};
  discard_equal_groups(groups, 0);
  EXPECT_TRUE(groups[0].kept() && groups[1].kept());
}

TEST(EqualGroups, NoTwoThatStayOverlapAndOrderDoesNotMatter) {
  std::mt19937 random(7);
  std::vector<Group> groups;
  for (int i = 0; i < 200; ++i) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t page = 1; page <= 8; ++page) {
      if (random() % 4 != 0) members.push_back(page);
    }
    groups.push_back(group_of("List " + std::to_string(i), members));
  }
  auto shuffled = groups;
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  discard_equal_groups(groups, 0.8);
  discard_equal_groups(shuffled, 0.8);
  std::map<std::string, std::string> details;
  for (const auto& group : groups) details[group.page] = group.detail;
  for (const auto& group : shuffled) EXPECT_EQ(group.detail, details.at(group.page));
  for (const auto& a : groups) {
    for (const auto& b : groups) {
      if (!a.kept() || !b.kept() || a.page >= b.page) continue;
      std::size_t common = 0;
      for (const auto& member : a.members)
        common += std::count_if(b.members.begin(), b.members.end(),
                                [&](const auto& other) { return other.page == member.page; });
      EXPECT_LT(common * 10, (a.members.size() + b.members.size() - common) * 8);
    }
  }
}

TEST(EqualGroups, ACopyGivesWayToItsOriginal) {
  headings::PhraseSet drafts;
  drafts.add("*/draft");
  std::vector<Group> groups = {group_of("List/draft", {1, 2, 3, 4, 5}), group_of("List", {1, 2, 3, 4})};
  discard_equal_groups(groups, 0.8, drafts);
  EXPECT_FALSE(groups[0].kept());
  EXPECT_TRUE(groups[1].kept());
}

TEST(EqualGroups, TheListByItsTitleStaysThoughAnotherPageIsLongerOrComesFirst) {
  std::vector<Group> groups = {group_of("All clubs", {1, 2, 3, 4, 5}), group_of("List of clubs", {1, 2, 3, 4})};
  discard_equal_groups(groups, 0.8, {}, {"List of"});
  EXPECT_FALSE(groups[0].kept());
  EXPECT_TRUE(groups[1].kept());
}

TEST(EqualGroups, AWholeListStaysBeforeASectionAndAFullOneBeforeOneWithGaps) {
  std::vector<Group> groups = {group_of("List of a", {1, 2, 3}), group_of("List of clubs", {1, 2, 3}),
                               group_of("Clubs b", {5, 6, 7}), group_of("Old clubs", {5, 6, 7})};
  groups[0].section_path = {"Clubs"};
  groups[2].unresolved_cells = 2;
  discard_equal_groups(groups, 0.8, {}, {"List of"});
  EXPECT_FALSE(groups[0].kept());
  EXPECT_TRUE(groups[1].kept());
  EXPECT_FALSE(groups[2].kept());
  EXPECT_TRUE(groups[3].kept());
}

/// Half of the groups are nearly equal to one before them; all draw on few pages, so that many share some.
TEST(EqualGroups, AHundredThousandGroupsThatShareMembersAreCompared) {
  constexpr std::size_t kGroups = 100'000;
  std::mt19937 random(11);
  std::vector<Group> groups;
  for (std::size_t i = 0; i < kGroups; i += 2) {
    std::vector<std::uint32_t> members;
    while (members.size() < 20) {
      const auto page = static_cast<std::uint32_t>(random() % 20'000) + 1;
      if (std::find(members.begin(), members.end(), page) == members.end()) members.push_back(page);
    }
    groups.push_back(group_of("List " + std::to_string(i), members));
    members.pop_back();
    groups.push_back(group_of("List " + std::to_string(i + 1), members));
  }
  discard_equal_groups(groups, 0.8);
  for (std::size_t i = 0; i < kGroups; i += 2) {
    ASSERT_TRUE(groups[i].kept()) << i;
    ASSERT_EQ(groups[i + 1].discarded, DiscardReason::kSameMembers) << i;
  }
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
