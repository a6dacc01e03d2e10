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

/// Rows of a table about champions, with a tournament, a country and a year in each.
std::string champions() {
  std::string text = "{| class=\"wikitable\"\n! Tournament !! Champion !! Country !! Year\n";
  for (const char* name : {"Amber", "Basil", "Cress", "Dill", "Elder"})
    text += "|-\n| [[Cup]] || [[" + std::string(name) + "]] || [[Ostrand]] || [[1900]]\n";
  return text + "|}";
}

TEST_F(GroupsStage, ColumnsOfAnotherKindThanTheListAreDiscarded) {
  assignments = {"groups.header=.", "groups.min_members=1"};
  const auto found = groups(simple_page(1, "List of champions of Ostrand", champions()) + simple_page(2, "Cup", "x") +
                            simple_page(3, "Ostrand", "x") + simple_page(4, "1900", "x"));
  ASSERT_EQ(found.size(), 4U);
  for (const auto& group : found) {
    if (group.column == "Champion")
      EXPECT_TRUE(group.kept());
    else
      EXPECT_EQ(group.discarded, DiscardReason::kOtherKind) << group.column;
  }
  EXPECT_EQ(found[0].detail, "the header says something about what is listed");
}

TEST_F(GroupsStage, AllColumnsAreKeptIfAskedFor) {
  assignments = {"groups.header=.", "groups.min_members=1", "groups.columns=all"};
  const auto found = groups(simple_page(1, "List of champions of Ostrand", champions()) + simple_page(2, "Cup", "x") +
                            simple_page(3, "Ostrand", "x") + simple_page(4, "1900", "x"));
  ASSERT_EQ(found.size(), 4U);
  for (const auto& group : found) EXPECT_TRUE(group.kept()) << group.column;
}

TEST_F(GroupsStage, AHeaderThatIsTheListsOwnNounIsNoAttribute) {
  assignments = {"groups.header=."};
  const auto found =
      groups(simple_page(1, "List of countries by age",
                         "{|\n! Country !! Capital\n|-\n| [[Amber]] || [[Elder]]\n|-\n| [[Basil]] || [[Dill]]\n"
                         "|-\n| [[Cress]] || [[Amber]]\n|}"));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].kept());
  EXPECT_EQ(found[1].discarded, DiscardReason::kOtherKind);
  EXPECT_EQ(found[1].detail, "the subject of the table is its column \"Country\"");
}

TEST_F(GroupsStage, AColumnWhoseArticlesRepeatSaysSomethingAboutTheRows) {
  assignments = {"groups.header=Keeper", "groups.min_members=1"};
  std::string table = "{|\n! Keeper !! Light\n";
  for (int row = 0; row < 6; ++row) table += "|-\n| [[Amber]] || x\n";
  const auto found = groups(simple_page(1, "List of lights", table + "|}"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].detail, "1 different articles in 6 rows");
}

TEST_F(GroupsStage, LetterSectionsAreOneListBeforeMembersAreCounted) {
  const auto found = groups(simple_page(1, "List of lights",
                                        "== A–B ==\n" + table_of({"[[Amber]]", "[[Basil]]"}) + "\n== C ==\n" +
                                            table_of({"[[Cress]]"}) + "\n== North ==\n" + table_of({"[[Dill]]"})));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].kept());
  EXPECT_EQ(found[0].structured, "List of lights » Name");
  EXPECT_EQ(members(found[0]), (std::vector<std::string>{"Amber", "Basil", "Cress"}));
  EXPECT_EQ(found[1].discarded, DiscardReason::kTooFewMembers);
}

TEST_F(GroupsStage, ADraftGivesWayToItsListThoughItIsLonger) {
  const auto found =
      groups(simple_page(1, "List of lights", table_of({"[[Amber]]", "[[Basil]]", "[[Cress]]", "[[Dill]]"})) +
             simple_page(2, "List of lights/draft",
                         table_of({"[[Amber]]", "[[Basil]]", "[[Cress]]", "[[Dill]]", "[[Elder]]"})));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].kept());
  EXPECT_EQ(found[1].discarded, DiscardReason::kSameMembers);
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
