#include "pipeline/survey/settings_choices.hpp"

#include "pipeline/survey/group_census.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::survey {
namespace {

using evidence::Group;
using evidence::MemberSource;
using Texts = std::vector<std::string>;

/// Of a trial in which so many topics survived, each of its own page.
TrialOutcome outcome_of(std::uint64_t subjects, std::uint64_t outside_of_100 = 0, std::uint64_t damaged_of_100 = 0) {
  TrialOutcome outcome;
  outcome.subjects = subjects;
  outcome.evidence = 100;
  outcome.outside = outside_of_100;
  outcome.texts = {100, damaged_of_100};
  return outcome;
}

Group column(const std::string& page, std::uint32_t table, const std::string& header, std::uint64_t cells,
             std::uint32_t members) {
  Group group;
  group.page = page;
  group.page_id.value = static_cast<std::uint32_t>(page.size());
  group.column = header;
  group.tables = {table};
  group.cells = cells;
  for (std::uint32_t i = 0; i < members; ++i) group.members.push_back({PageId{i + 1}, "Member", ""});
  return group;
}

Group list(const std::string& page, std::uint32_t members) {
  auto group = column(page, 0, "list items", members, members);
  group.tables.clear();
  return group;
}

TEST(TrialOutcome, NumbersOfASampleStandForAllGroups) {
  TrialOutcome outcome;
  EXPECT_EQ(outcome.of_all_groups(0), 0U);
  outcome.groups = 420;
  outcome.judged = 150;
  EXPECT_EQ(outcome.of_all_groups(380), 1064U);
}

TEST(TrialWorth, GrowsWithSubjectsEvidenceFromElsewhereAndWeight) {
  EXPECT_GT(trial_worth(outcome_of(20), 1), trial_worth(outcome_of(10), 1));
  EXPECT_GT(trial_worth(outcome_of(10, 50), 1), trial_worth(outcome_of(10, 5), 1));
  EXPECT_GT(trial_worth(outcome_of(20), 1), trial_worth(outcome_of(20), 0.5));
  EXPECT_EQ(trial_worth(outcome_of(0), 1), 0);
}

TEST(TrialWorth, DamagedTextsAreOfNoWorth) {
  EXPECT_GT(trial_worth(outcome_of(10), 1), trial_worth(outcome_of(12, 0, 10), 1));
  EXPECT_EQ(trial_worth(outcome_of(50, 50, 30), 1), 0);
}

TEST(NamingHeaders, TakesTheFirstColumnWithDifferentArticles) {
  const auto headers = naming_headers({column("List of a", 0, "Country", 10, 3), column("List of a", 0, "Lake", 10, 10),
                                       column("List of a", 0, "River", 10, 10)});
  EXPECT_EQ(headers, (std::map<std::string, std::uint64_t>{{"lake", 1}}));
}

TEST(NamingHeaders, IgnoresLists) {
  EXPECT_TRUE(naming_headers({list("List of a", 5)}).empty());
}

TEST(NamesLists, IsForGroupsOfListPages) {
  auto group = list("Lists of everything", 2);
  group.members[0].title = "List of rocks";
  const Texts affixes = {"List of"};
  EXPECT_TRUE(names_lists(group, affixes));
  EXPECT_FALSE(names_lists(list("List of rocks", 2), affixes));
}

TEST(GroupsPlans, GivesPlansForListPagesAndForAllPages) {
  const std::vector<Group> groups = {column("List of lakes", 0, "Lake", 5, 5), column("Some page", 0, "Part", 5, 5),
                                     list("Some page", 4)};
  const auto plans = groups_plans({}, groups, {"List of"}, true);
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(plans[0].options.list_prefixes, (Texts{"List of"}));
  EXPECT_EQ(plans[0].options.sources, (std::vector<MemberSource>{MemberSource::kTable}));
  EXPECT_EQ(plans[1].options.list_prefixes, (Texts{"*"}));
  EXPECT_EQ(plans[2].options.sources, (std::vector<MemberSource>{MemberSource::kTable, MemberSource::kListItem}));
  EXPECT_GT(plans[0].weight, plans[1].weight);
  EXPECT_GT(plans[1].weight, plans[2].weight);
}

TEST(GroupsPlans, UsesListItemsAloneWhereNoColumnNamesAnything) {
  const auto plans = groups_plans({}, {list("List of lakes", 4)}, {"List of"}, false);
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_EQ(plans[0].options.sources, (std::vector<MemberSource>{MemberSource::kListItem}));
}

TEST(GroupsPlans, KeepsOtherOptions) {
  evidence::GroupsOptions base;
  base.min_members = 7;
  const auto plans = groups_plans(base, {list("List of lakes", 9)}, {"List of"}, false);
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_EQ(plans[0].options.min_members, 7);
}

}  // namespace
}  // namespace touchstone::pipeline::survey
