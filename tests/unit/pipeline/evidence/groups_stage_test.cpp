#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/stages.hpp"
#include "tests/support/stage_fixture.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

using testing::simple_page;

/// A table with a column "Name" of these cells, and one of years.
std::string table_of(const std::vector<std::string>& names) {
  std::string text = "{| class=\"wikitable\"\n! Name !! Built\n";
  for (const auto& name : names) text += "|-\n| " + name + " || 1900\n";
  return text + "|}";
}

/// Lights with the numbers 11, 12, ... that lists can name.
std::string lights() {
  std::string pages;
  std::uint32_t id = 11;
  for (const char* title : {"Amber", "Basil", "Cress", "Dill", "Elder"}) pages += simple_page(id++, title, "A light.");
  return pages + simple_page(20, "Old Amber", "#REDIRECT [[Amber]]", "Amber") +
         simple_page(21, "Many", "{{disambiguation}}");
}

class GroupsStage : public testing::StageFixture {
 protected:
  /// The groups of these list pages, beside the lights.
  std::vector<Group> groups(const std::string& lists) {
    fill_from_dump(lists + lights());
    report = run(groups_stage());
    return read_groups(paths.file(kGroupsFile));
  }
  flow::StageReport report;
};

std::vector<std::string> members(const Group& group) {
  std::vector<std::string> titles;
  for (const auto& member : group.members) titles.push_back(member.title);
  return titles;
}

TEST_F(GroupsStage, AColumnOfLinksIsAGroup) {
  const auto found =
      groups(simple_page(1, "List of lights", "== North ==\n" + table_of({"[[Amber]]", "[[Basil]]", "[[Cress]]"})));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].kept());
  EXPECT_EQ(found[0].structured, "List of lights » North » Name");
  EXPECT_EQ(found[0].topic.size(), 12U);
  EXPECT_EQ(found[0].page_id, PageId{1});
  EXPECT_EQ(members(found[0]), (std::vector<std::string>{"Amber", "Basil", "Cress"}));
  EXPECT_EQ(report.counts.at("groups"), 1U);
  EXPECT_EQ(report.counts.at("list pages"), 1U);
  EXPECT_EQ(report.rejected.at("column not taken: its header does not match groups.header"), 1U);
}

TEST_F(GroupsStage, RedirectsAreFollowedAndAMemberCountsOnce) {
  const auto found =
      groups(simple_page(1, "List of lights", table_of({"[[Amber]]", "[[Old Amber]]", "[[Basil]]", "[[Cress]]"})));
  EXPECT_EQ(members(found.at(0)), (std::vector<std::string>{"Amber", "Basil", "Cress"}));
  EXPECT_EQ(found.at(0).cells, 4U);
}

TEST_F(GroupsStage, OnlyPagesWithTheTitleOfAListAreRead) {
  const auto table = table_of({"[[Amber]]", "[[Basil]]", "[[Cress]]"});
  EXPECT_TRUE(groups(simple_page(1, "Lights", table) + simple_page(2, "List office", table)).empty());
  EXPECT_EQ(report.warnings.size(), 1U);
}

TEST_F(GroupsStage, LenientColumnsAreDiscardedForTooFewMembersOrArticles) {
  const auto found = groups(
      simple_page(1, "List of few", table_of({"[[Amber]]", "[[Basil]]"})) +
      simple_page(2, "List of unknown", table_of({"[[Amber]]", "[[Basil]]", "[[Cress]]", "x", "y", "z", "[[Many]]"})) +
      simple_page(3, "List of none", table_of({"x", "", "[[Nowhere]]"})));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].discarded, DiscardReason::kTooFewMembers);
  EXPECT_EQ(found[0].detail, "2 of 2 cells");
  EXPECT_EQ(found[1].discarded, DiscardReason::kTooFewArticles);
  EXPECT_EQ(found[1].unresolved_cells, 4U) << "a disambiguation page is no member";
  EXPECT_EQ(found[2].discarded, DiscardReason::kNoMember);
  EXPECT_EQ(found[2].empty_cells, 1U);
  EXPECT_EQ(report.rejected.at("column discarded: too few members"), 1U);
  EXPECT_EQ(report.severities.at("column discarded: too few members"), RejectSeverity::kLeftOut);
}

TEST_F(GroupsStage, StrictColumnsMustHaveAnArticleInEveryCell) {
  assignments = {"groups.mode=strict"};
  const auto found = groups(simple_page(1, "List of gaps", table_of({"[[Amber]]", "", "[[Basil]]", "[[Cress]]"})) +
                            simple_page(2, "List of words", table_of({"[[Amber]]", "x", "[[Basil]]", "[[Cress]]"})) +
                            simple_page(3, "List of two", table_of({"[[Amber]]", "[[Basil]]"})));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].discarded, DiscardReason::kEmptyCell);
  EXPECT_EQ(found[0].detail, "row 3");
  EXPECT_EQ(found[1].discarded, DiscardReason::kCellWithoutArticle);
  EXPECT_TRUE(found[2].kept());
}

TEST_F(GroupsStage, AMemberThatTooManyPagesLinkToDiscardsItsColumn) {
  // The list and the redirect "Old Amber" link to Amber; the list and two more pages to Basil.
  assignments = {"groups.max_backlinks=2"};
  const auto found = groups(simple_page(1, "List of lights", table_of({"[[Amber]]", "[[Basil]]", "[[Cress]]"})) +
                            simple_page(2, "Coast", "See [[Basil]].") + simple_page(3, "Harbour", "See [[Basil]]."));
  EXPECT_EQ(found.at(0).discarded, DiscardReason::kTooManyBacklinks);
  EXPECT_EQ(found.at(0).detail, "Basil: 3 articles");
}

TEST_F(GroupsStage, ColumnsWithOneStructuredQueryAreOneGroup) {
  const auto found = groups(simple_page(
      1, "List of lights",
      table_of({"[[Amber]]", "[[Basil]]", "[[Cress]]"}) + "\n\n" + table_of({"[[Cress]]", "[[Dill]]", "[[Elder]]"})));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(members(found[0]), (std::vector<std::string>{"Amber", "Basil", "Cress", "Dill", "Elder"}));
  EXPECT_EQ(found[0].tables, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(found[0].cells, 6U);
}

TEST_F(GroupsStage, ListItemsAreAColumnWhereTheyAreAskedFor) {
  const auto page = simple_page(1, "List of lights", "* [[Amber]]\n* [[Basil]], old\n* [[Cress]]\n");
  EXPECT_TRUE(groups(page).empty());
  open_store(folder / "again");
  assignments = {"groups.sources=list-item"};
  const auto found = groups(page);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(members(found[0]), (std::vector<std::string>{"Amber", "Basil", "Cress"}));
  EXPECT_EQ(found[0].column, "list items");
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
