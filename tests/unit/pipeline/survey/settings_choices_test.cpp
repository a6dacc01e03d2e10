#include "pipeline/survey/settings_choices.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::survey {
namespace {

using evidence::Group;
using evidence::MemberSource;
using Texts = std::vector<std::string>;

GroupCounts counts_of(std::uint64_t topics, std::uint64_t groups = 0) {
  GroupCounts counts;
  counts.topics = topics;
  counts.groups = groups;
  return counts;
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

TEST(PlanWorth, GrowsWithTopicsAndWeight) {
  EXPECT_GT(plan_worth(counts_of(20), 1), plan_worth(counts_of(10), 1));
  EXPECT_GT(plan_worth(counts_of(20), 1), plan_worth(counts_of(20), 0.5));
}

TEST(PlanWorth, PrefersListsOnceThereAreEnough) {
  EXPECT_GT(plan_worth(counts_of(40), 1), plan_worth(counts_of(60), 0.5));
  EXPECT_LT(plan_worth(counts_of(2), 1), plan_worth(counts_of(60), 0.5));
}

TEST(PlanWorth, TellsSettingsWithoutTopicsApartByTheirGroups) {
  EXPECT_GT(plan_worth(counts_of(0, 5), 1), plan_worth(counts_of(0, 1), 1));
  EXPECT_LT(plan_worth(counts_of(0, 1000), 1), plan_worth(counts_of(1), 1));
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

TEST(HeaderPattern, TakesWholeHeadersAndEscapes) {
  EXPECT_EQ(header_pattern(Texts{"name"}), "^(name)$");
  EXPECT_EQ(header_pattern(Texts{"name (en)", "名前"}), "^(name \\(en\\)|名前)$");
}

TEST(GroupsPlans, GivesPlansForListPagesAndForAllPages) {
  const std::vector<Group> groups = {column("List of lakes", 0, "Lake", 5, 5), column("Some page", 0, "Part", 5, 5),
                                     list("Some page", 4)};
  const auto plans = groups_plans({}, groups, {"List of"}, true);
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(plans[0].options.list_prefixes, (Texts{"List of"}));
  EXPECT_EQ(plans[0].options.header, "^(lake)$");
  EXPECT_EQ(plans[0].options.sources, (std::vector<MemberSource>{MemberSource::kTable}));
  EXPECT_EQ(plans[1].options.list_prefixes, (Texts{"*"}));
  EXPECT_EQ(plans[1].options.header, "^(lake|part)$");
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

TEST(PrefersWholeArticles, WhereLeadsGiveLittleFromOtherPages) {
  GroupCounts lead = counts_of(10), all = counts_of(10);
  lead.candidates = 100;
  lead.outside = 10;
  all.candidates = 1000;
  all.outside = 100;
  EXPECT_TRUE(prefers_whole_articles(lead, all));
  all.outside = 15;
  EXPECT_FALSE(prefers_whole_articles(lead, all)) << "hardly more";
  all.outside = 100;
  lead.outside = 60;
  EXPECT_FALSE(prefers_whole_articles(lead, all)) << "leads give enough";
}

}  // namespace
}  // namespace touchstone::pipeline::survey
