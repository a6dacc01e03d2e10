#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/flow/work_files.hpp"
#include "tests/support/stage_fixture.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

// This file is long because each rule about lists is shown on pages of its own.

using testing::simple_page;

/// A table with a column "Name" of these cells.
std::string table_of(const std::vector<std::string>& names) {
  std::string text = "{| class=\"wikitable\"\n! Name\n";
  for (const auto& name : names) text += "|-\n| " + name + "\n";
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
    return GroupFile::read(paths.file(kGroupsFile));
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
}

TEST_F(GroupsStage, AnExpressionForHeadersChoosesAmongColumns) {
  assignments = {"groups.header=Name"};
  std::string table = "{|\n! Name !! Keeper\n";
  for (const char* name : {"Amber", "Basil", "Cress"}) table += "|-\n| [[" + std::string(name) + "]] || x\n";
  const auto found = groups(simple_page(1, "List of lights", table + "|}"));
  ASSERT_EQ(found.size(), 1U);
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
      simple_page(3, "List of none", table_of({"x", "y", "[[Nowhere]]"})));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].discarded, DiscardReason::kTooFewMembers);
  EXPECT_EQ(found[0].detail, "2 of 2 cells");
  EXPECT_EQ(found[1].discarded, DiscardReason::kTooFewArticles);
  EXPECT_EQ(found[1].unresolved_cells, 4U) << "a disambiguation page is no member";
  EXPECT_EQ(found[2].discarded, DiscardReason::kNoMember) << found[2].detail;
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

TEST_F(GroupsStage, ListItemsAreAColumnUnlessOnlyTablesAreRead) {
  const auto page = simple_page(1, "List of lights", "* [[Amber]]\n* [[Basil]], old\n* [[Cress]]\n");
  assignments = {"groups.sources=table"};
  EXPECT_TRUE(groups(page).empty());
  open_store(folder / "again");
  assignments = {};
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
  const auto found =
      groups(simple_page(1, "List of countries by age",
                         "{|\n! Country !! Chief place\n|-\n| [[Amber]] || [[Elder]]\n|-\n| [[Basil]] || [[Dill]]\n"
                         "|-\n| [[Cress]] || [[Amber]]\n|}"));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].kept());
  EXPECT_EQ(found[1].discarded, DiscardReason::kOtherKind);
  EXPECT_EQ(found[1].detail, "the subject of the table is its column \"Country\"");
}

/// The kept columns of the table, by header.
std::vector<std::string> kept(const std::vector<Group>& groups) {
  std::vector<std::string> columns;
  for (const auto& group : groups) {
    if (group.kept()) columns.push_back(group.column);
  }
  return columns;
}

TEST_F(GroupsStage, TheSubjectOfATableIsItsLeftmostColumnThatTellsRowsApart) {
  // The first column counts, the second repeats; the fourth links as well, but says something of the third.
  std::string table = "{|\n! No. !! Coast !! Light !! Neighbour\n";
  const std::vector<std::string> names = {"Amber", "Basil", "Cress", "Dill", "Elder"};
  for (std::size_t row = 0; row < names.size(); ++row)
    table += "|-\n| " + std::to_string(row) + " || [[Many]] || [[" + names[row] + "]] || [[" +
             names[names.size() - 1 - row] + "]]\n";
  const auto found = groups(simple_page(1, "List of towers", table + "|}"));
  EXPECT_EQ(kept(found), (std::vector<std::string>{"Light"}));
}

TEST_F(GroupsStage, ATableWhoseSubjectHasNoArticlesGivesNothing) {
  std::string table = "{|\n! Potion !! Herb\n";
  for (const char* name : {"Amber", "Basil", "Cress"})
    table += "|-\n| Tonic of " + std::string(name) + " || [[" + name + "]]\n";
  EXPECT_TRUE(kept(groups(simple_page(1, "List of potions", table + "|}"))).empty());
}

TEST_F(GroupsStage, CellsThatHeadTheirRowAreTheSubject) {
  std::string table = "{|\n! Kanji !! Reading\n";
  for (const char* name : {"Amber", "Basil", "Cress"})
    table += "|-\n| k" + std::string(name) + "\n! scope=\"row\" | [[" + name + "]]\n";
  EXPECT_EQ(kept(groups(simple_page(1, "List of lights", table + "|}"))), (std::vector<std::string>{"Reading"}));
}

TEST_F(GroupsStage, OnOtherPagesTitleOrHeadingsSayWhatATableLists) {
  assignments = {"groups.list_prefixes=*"};
  std::string table = "{|\n! Keeper !! Since\n";
  for (const char* name : {"Amber", "Basil", "Cress"}) table += "|-\n| [[" + std::string(name) + "]] || 1900\n";
  table += "|}";
  EXPECT_TRUE(kept(groups(simple_page(1, "Records", "== All accounts ==\n" + table))).empty());
  open_store(folder / "again");
  EXPECT_EQ(kept(groups(simple_page(1, "Records", "== First keepers ==\n" + table))),
            (std::vector<std::string>{"Keeper"}));
}

TEST_F(GroupsStage, PagesByLetterAreOneList) {
  const auto found = groups(simple_page(1, "List of lights: A–B", table_of({"[[Amber]]", "[[Basil]]"})) +
                            simple_page(2, "List of lights: C–E", table_of({"[[Cress]]", "[[Dill]]"})) +
                            simple_page(3, "List of lights", "The lists by letter."));
  const auto group = std::find_if(found.begin(), found.end(), [](const auto& one) { return one.kept(); });
  ASSERT_NE(group, found.end());
  EXPECT_EQ(group->structured, "List of lights » Name");
  EXPECT_EQ(group->pages, (std::vector<PageId>{{1}, {2}, {3}}));
  EXPECT_EQ(group->page_id, PageId{3});
  EXPECT_EQ(group->members.size(), 4U);
}

TEST_F(GroupsStage, SmallSectionsOfOneHeaderAreOneList) {
  const auto found = groups(simple_page(1, "List of lights",
                                        "== North ==\n" + table_of({"[[Amber]]", "[[Basil]]"}) + "\n== South ==\n" +
                                            table_of({"[[Cress]]", "[[Dill]]"})));
  const auto group = std::find_if(found.begin(), found.end(), [](const auto& one) { return one.kept(); });
  ASSERT_NE(group, found.end());
  EXPECT_EQ(group->structured, "List of lights » Name");
  EXPECT_EQ(group->members.size(), 4U);
}

TEST_F(GroupsStage, SiblingTablesByLetterAreOneList) {
  const auto found =
      groups(simple_page(1, "List of lights",
                         "== Lights ==\n=== Lights A–C ===\n" + table_of({"[[Amber]]", "[[Basil]]", "[[Cress]]"}) +
                             "\n=== Lights D–Z ===\n" + table_of({"[[Dill]]", "[[Elder]]"})));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].structured, "List of lights » Lights » Name");
  EXPECT_EQ(found[0].members.size(), 5U);
}

TEST_F(GroupsStage, AThirdOfALongListIsEnough) {
  std::vector<std::string> names;
  std::string pages;
  for (int i = 0; i < 24; ++i) {
    const auto name = "Spot " + std::string(1, static_cast<char>('A' + i));
    names.push_back("[[" + name + "]]");
    if (i < 8) pages += simple_page(static_cast<std::uint32_t>(100 + i), name.c_str(), "A spot.");
  }
  const auto found = groups(simple_page(1, "List of spots", table_of(names)) + pages);
  EXPECT_EQ(kept(found), (std::vector<std::string>{"Name"}));
}

TEST_F(GroupsStage, PagesThatOnlyLeadElsewhereHoldNoLists) {
  assignments = {"groups.list_prefixes=*"};
  const auto items = "* [[Amber]]\n* [[Basil]]\n* [[Cress]]\n";
  std::string pages;
  std::uint32_t id = 1;
  for (const char* title : {"Release notes", "3 May", "1990", "Contents", "Lights/fr", "Talk:Lights"})
    pages += simple_page(id++, title, items);
  const auto found = groups(pages + simple_page(id, "Lights", items));
  ASSERT_EQ(kept(found).size(), 1U);
  EXPECT_EQ(report.rejected.at("page that is no list: a translation of another page"), 1U);
  EXPECT_EQ(report.rejected.at("page that is no list: a day or a year"), 2U);
  EXPECT_EQ(report.rejected.at("page that is no list: navigation or a log of changes"), 2U);
  EXPECT_EQ(report.rejected.at("page that is no list: a discussion"), 1U);
}

TEST_F(GroupsStage, PagesOfDaysAndYearsAreToldInAnyLanguage) {
  assignments = {"groups.list_prefixes=*"};
  std::string pages;
  std::uint32_t id = 200;
  for (const char* month : {"Ema", "Oba", "Ura", "Ila", "Asa", "Una"}) {
    for (int day = 1; day <= 28; ++day)
      pages += simple_page(id++, (std::string(month) + " " + std::to_string(day) + "-an").c_str(), "A day.");
  }
  for (int year = 1900; year < 1935; ++year)
    pages += simple_page(id++, (std::to_string(year) + "-ad").c_str(), "* [[Amber]]\n* [[Basil]]\n* [[Cress]]\n");
  const auto found = groups(simple_page(1, "Feasts", "* [[Ema 3-an]]\n* [[Oba 4-an]]\n* [[Ura 5-an]]\n") + pages);
  ASSERT_EQ(found.size(), 1U) << "years hold no lists";
  EXPECT_EQ(found[0].detail, "3 of 3 members are days or years");
}

TEST_F(GroupsStage, PagesBelowTheListAreNoMembersAndInstalmentsAreContents) {
  assignments = {"groups.list_prefixes=*"};
  std::string pages;
  for (std::uint32_t i = 1; i <= 4; ++i) {
    pages += simple_page(30 + i, ("Notes/" + std::string(1, static_cast<char>('A' + i))).c_str(), "x");
    pages += simple_page(40 + i, ("Status update " + std::to_string(i)).c_str(), "x");
  }
  const auto found = groups(
      simple_page(1, "Notes", "* [[Notes/B]]\n* [[Notes/C]]\n* [[Notes/D]]\n") +
      simple_page(2, "Reports", "* [[Status update 1]]\n* [[Status update 2]]\n* [[Status update 3]]\n") + pages);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].discarded, DiscardReason::kNoMember);
  EXPECT_EQ(found[0].pages.size(), 5U);
  EXPECT_EQ(found[1].discarded, DiscardReason::kContents);
}

TEST_F(GroupsStage, WhatBearsOneNameIsNoList) {
  assignments = {"groups.list_prefixes=*"};
  const auto found = groups(
      simple_page(1, "Mari (meanings)", "== Languages ==\n* [[Mari El]]\n* [[Hill Mari]]\n* [[Mari language]]\n") +
      simple_page(2, "Mari El", "x") + simple_page(3, "Hill Mari", "x") + simple_page(4, "Mari language", "x"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].discarded, DiscardReason::kContents);
}

TEST_F(GroupsStage, SectionsThatManyArticlesHaveAreNoLists) {
  assignments = {"groups.list_prefixes=*"};
  const std::string items = "* [[Amber]]\n* [[Basil]]\n* [[Cress]]\n";
  std::string pages = simple_page(1, "Port one", "== Neighbours ==\n" + items + "== Lights ==\n" + items) +
                      simple_page(2, "List of old lights", "== Neighbours ==\n* [[Dill]]\n* [[Elder]]\n* [[Amber]]\n");
  for (std::uint32_t i = 3; i <= 6; ++i)
    pages += simple_page(i, ("Port " + std::to_string(i)).c_str(), "== Neighbours ==\n* [[Basil]]\n");
  for (const auto& group : groups(pages)) {
    if (group.section_path.back() != "Neighbours" || group.page == "List of old lights")
      EXPECT_NE(group.discarded, DiscardReason::kArticleSection) << group.structured;
    else if (group.page == "Port one")
      EXPECT_EQ(group.discarded, DiscardReason::kArticleSection) << group.structured;
  }
}

TEST_F(GroupsStage, MembersOfAnotherKindAreLeftOut) {
  std::string items, pages;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const auto name = "Spot " + std::string(1, static_cast<char>('A' + i));
    items += "* [[" + name + "]]\n";
    pages += simple_page(100 + i, name.c_str(), i < 7 ? "A spot. [[Category:Spots]]" : "A boat. [[Category:Boats]]");
  }
  const auto found = groups(simple_page(1, "List of spots", items) + pages);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].members.size(), 7U);
  EXPECT_EQ(report.rejected.at("member of another kind than its list"), 1U);
}

TEST_F(GroupsStage, MembersOfNoCommonKindAreNoList) {
  std::string items, pages;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const auto name = "Spot " + std::string(1, static_cast<char>('A' + i));
    items += "* [[" + name + "]]\n";
    pages += simple_page(100 + i, name.c_str(), ("It. [[Category:" + name + "s]]").c_str());
  }
  const auto found = groups(simple_page(1, "List of spots", items) + pages);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].discarded, DiscardReason::kMixedKinds);
}

TEST_F(GroupsStage, LetterSectionsAreOneListBeforeMembersAreCounted) {
  const auto found = groups(simple_page(1, "List of lights",
                                        "== A–B ==\n" + table_of({"[[Amber]]", "[[Basil]]"}) + "\n== C ==\n" +
                                            table_of({"[[Cress]]"}) + "\n== North ==\n" + table_of({"[[Dill]]"})));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].kept());
  EXPECT_EQ(found[0].structured, "List of lights » Name");
  EXPECT_EQ(members(found[0]), (std::vector<std::string>{"Amber", "Basil", "Cress"}));
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

TEST_F(GroupsStage, ASectionWhoseHeadingNamesAListIsOneOnAnyPage) {
  const auto table = table_of({"[[Amber]]", "[[Basil]]", "[[Cress]]"});
  const auto page = simple_page(
      1, "Harbour",
      "== Ships ==\n" + table + "\n== List of old lights ==\n" + table_of({"[[Amber]]", "[[Dill]]", "[[Elder]]"}));
  const auto found = groups(page);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].structured, "Harbour » List of old lights » Name");
  assignments = {"groups.mode=strict"};
  EXPECT_TRUE(groups(page).empty());
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
