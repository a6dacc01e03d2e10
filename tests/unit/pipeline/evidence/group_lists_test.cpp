#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/evidence/list_page_rules.hpp"
#include "pipeline/evidence/stages.hpp"
#include "pipeline/flow/work_files.hpp"
#include "tests/support/stage_fixture.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

using testing::simple_page;

const std::vector<std::string> kLights = {"Amber", "Basil", "Cress", "Dill", "Elder", "Fennel", "Ginger", "Hops"};

/// What groups make of small wikis: which lists are one topic, and which pages hold none.
class GroupLists : public testing::StageFixture {
 protected:
  /// The kept groups of these pages, beside the lights: structured query and number of members.
  std::vector<std::string> kept(const std::string& pages) {
    std::string lights;
    std::uint32_t id = 101;
    for (const auto& light : kLights) lights += simple_page(id++, light.c_str(), "A light.");
    open_store(folder / ("work" + std::to_string(++stores)));
    fill_from_dump(pages + lights);
    report = run(groups_stage());
    found = GroupFile::read(paths.file(kGroupsFile));
    std::vector<std::string> texts;
    for (const auto& group : found) {
      if (group.kept()) texts.push_back(group.structured + ": " + std::to_string(group.members.size()));
    }
    return texts;
  }
  flow::StageReport report;
  std::vector<Group> found;
  int stores = 0;
};

using Texts = std::vector<std::string>;

std::string link(const std::string& title) {
  return "[[" + title + "]]";
}

std::string items(const Texts& names) {
  std::string text;
  for (const auto& name : names) text += "* " + link(name) + "\n";
  return text;
}

/// A table of two columns; the second holds a number.
std::string table(const std::string& headers, const Texts& cells) {
  std::string text = "{|\n! " + headers + "\n";
  for (const auto& cell : cells) text += "|-\n| " + cell + " || 7\n";
  return text + "|}\n";
}

std::string lights_in(std::size_t begin, std::size_t end) {
  Texts cells;
  for (auto i = begin; i < end; ++i) cells.push_back(link(kLights[i]));
  return table("Light !! Height", cells);
}

TEST_F(GroupLists, SectionsByDecadeAreOneListThoughSomeAreLarge) {
  EXPECT_EQ(kept(simple_page(1, "List of lights",
                             "== 1970s ==\n" + lights_in(0, 4) + "== 1980s ==\n" + lights_in(4, 5) + "== 1990s ==\n" +
                                 lights_in(5, 8))),
            (Texts{"List of lights » Light: 8"}));
}

TEST_F(GroupLists, SectionsAreJoinedAllOrNone) {
  EXPECT_EQ(kept(simple_page(1, "List of lights",
                             "== North ==\n" + lights_in(0, 3) + "== South ==\n" + lights_in(3, 6) + "== East ==\n" +
                                 lights_in(6, 8))),
            (Texts{"List of lights » North » Light: 3", "List of lights » South » Light: 3"}));
  EXPECT_EQ(kept(simple_page(1, "List of lights",
                             "== North ==\n" + lights_in(0, 4) + "== South ==\n" + lights_in(4, 6) + "== East ==\n" +
                                 lights_in(6, 8))),
            (Texts{"List of lights » Light: 8"}));
}

TEST_F(GroupLists, SectionsThatHoldMostMembersAreNotJoinedBecauseManyOthersAreSmall) {
  const std::string none = "* Nothing\n";
  EXPECT_EQ(kept(simple_page(1, "List of lights",
                             "== North ==\n" + items({"Amber", "Basil", "Cress"}) + "== South ==\n" +
                                 items({"Dill", "Elder", "Fennel", "Ginger"}) + "== East ==\n" + items({"Hops"}) +
                                 "== West ==\n" + none + "== Up ==\n" + none)),
            (Texts{"List of lights » North » list items: 3", "List of lights » South » list items: 4"}));
}

TEST_F(GroupLists, SectionsAreJoinedFromTheInnermostOutwards) {
  EXPECT_EQ(kept(simple_page(1, "List of lights",
                             "== North ==\n" + lights_in(0, 2) + "== South ==\n=== Coast ===\n" + lights_in(2, 4) +
                                 "=== Inland ===\n" + lights_in(4, 5))),
            (Texts{"List of lights » Light: 5"}));
}

TEST_F(GroupLists, TablesWithOtherColumnsAreNotJoined) {
  EXPECT_TRUE(kept(simple_page(1, "List of lights and ships",
                               "== Lights ==\n" + table("Name !! Lamp", {"[[Amber]]", "[[Basil]]"}) + "== Ships ==\n" +
                                   table("Name !! Crew", {"[[Cress]]", "[[Dill]]"})))
                  .empty());
}

TEST_F(GroupLists, WhatIsCalledOtherBelongsToTheWholeList) {
  EXPECT_EQ(kept(simple_page(1, "List of lights",
                             "== Tall ==\n" + items({"Amber", "Basil", "Cress"}) + "== Other ==\n" +
                                 items({"Dill", "Elder", "Fennel"}))),
            (Texts{"List of lights » Tall » list items: 3"}));
  EXPECT_EQ(found.back().detail, "the rest of a list whose other sections are topics of their own");
  EXPECT_EQ(kept(simple_page(1, "List of lights",
                             "== Tall ==\n" + items({"Amber", "Basil", "Cress"}) + "== Other ==\n" + items({"Dill"}))),
            (Texts{"List of lights » list items: 4"}));
}

TEST_F(GroupLists, OtherBelongsToWhatIsDirectlyBelowTheHeadingAbove) {
  EXPECT_EQ(kept(simple_page(1, "List of lights",
                             "== A–C ==\n" + items({"Amber", "Basil", "Cress"}) + "== Other ==\n" + items({"Dill"}))),
            (Texts{"List of lights » list items: 4"}));
}

TEST_F(GroupLists, BoxesThatLeadToOtherPagesAreNoLists) {
  const std::string box = "{| class=\"navbox hlist\"\n| [[Elder]] • [[Fennel]]\n|-\n| [[Ginger]] • [[Hops]]\n|}\n";
  EXPECT_EQ(kept(simple_page(1, "List of lights", items({"Amber", "Basil", "Cress"}) + box)),
            (Texts{"List of lights » list items: 3"}));
}

TEST_F(GroupLists, SectionsOfArticlesAreNotJoinedIfNothingSaysWhatTheyList) {
  assignments = {"groups.list_prefixes=*"};
  EXPECT_TRUE(
      kept(simple_page(1, "Ostrand",
                       "== Coast ==\n" + items({"Amber", "Basil"}) + "== Inland ==\n" + items({"Cress", "Dill"})))
          .empty());
}

TEST_F(GroupLists, PagesByLetterAreOneListWithItsTitleThoughNoPageHasIt) {
  assignments = {"groups.list_prefixes=*"};
  const auto by_letter = [](const std::string& title, const std::vector<std::string>& parts) {
    std::string pages;
    std::uint32_t id = 1;
    for (const auto& part : parts) {
      const auto begin = 2 * (id - 1);
      pages += simple_page(id++, (title + part).c_str(), items({kLights[begin], kLights[begin + 1]}));
    }
    return pages;
  };
  for (const auto& parts : std::vector<Texts>{{": A", ": B", ": C"},
                                              {"/A", "/B", "/C"},
                                              {" (A–C)", " (D–F)", " (G–Z)"},
                                              {", A-C", ", D-F", ", G-Z"},
                                              {": А", ": Б", ": Ж"}})
    EXPECT_EQ(kept(by_letter("Old lights", parts)), (Texts{"Old lights » list items: 6"})) << parts[0];
}

TEST_F(GroupLists, CellsThatAreListsGiveAllTheirItems) {
  EXPECT_EQ(kept(simple_page(1, "List of lights by coast",
                             table("Lights !! Coasts", {"[[Amber]], [[Basil]] and [[Cress]]", "[[Dill]]<br>[[Elder]]",
                                                        "\n* [[Fennel]] (old)\n* [[Ginger]] ([[Hops]])\n"}))),
            (Texts{"List of lights by coast » Lights: 7"}));
}

TEST_F(GroupLists, ANameWithWhatFollowsItIsOneMember) {
  EXPECT_EQ(kept(simple_page(
                1, "List of lights",
                table("Light !! Height", {"[[Amber]], [[Fennel]]", "[[Basil]], [[Ginger]]", "[[Cress]] ([[Hops]])",
                                          "[[Dill]], which is near [[Elder]], the oldest of them"}))),
            (Texts{"List of lights » Light: 4"}));
}

TEST_F(GroupLists, AHeaderThatTitleOrHeadingNameIsTheSubject) {
  for (const auto& [title, header] :
       std::vector<std::pair<std::string, std::string>>{{"List of countries by population", "Country"},
                                                        {"List of countries by size", "Country/Territory"},
                                                        {"List of skills", "Skill"},
                                                        {"List of cities and towns", "City"}})
    EXPECT_EQ(
        kept(simple_page(1, title.c_str(), table(header + " !! Height", {"[[Amber]]", "[[Basil]]", "[[Cress]]"}))),
        (Texts{title + " » " + header + ": 3"}));
  assignments = {"groups.list_prefixes=*"};
  EXPECT_EQ(kept(simple_page(1, "Ostrand",
                             "== Skills ==\n" + table("Skill !! Height", {"[[Amber]]", "[[Basil]]", "[[Cress]]"}))),
            (Texts{"Ostrand » Skills » Skill: 3"}));
}

TEST_F(GroupLists, AttributesAreNoSubjectAndNothingBehindOneThatTellsTheRowsApart) {
  const auto two = [](const std::string& headers) {
    std::string text = "{|\n! " + headers + "\n";
    for (std::size_t i = 0; i < 4; ++i) text += "|-\n| " + link(kLights[i]) + " || " + link(kLights[i + 4]) + "\n";
    return text + "|}\n";
  };
  for (const char* header : {"Effect", "Healing", "Skill", "Country", "Location"})
    EXPECT_TRUE(kept(simple_page(1, "List of potions", two(std::string(header) + " !! Keeper"))).empty()) << header;
  EXPECT_EQ(kept(simple_page(1, "List of keepers", two("Country !! Keeper"))), (Texts{"List of keepers » Keeper: 4"}));
}

TEST_F(GroupLists, AColumnWhoseHeaderNothingNamesHoldsWhatTitleOrHeaderSay) {
  const auto page = [](const char* title, const char* category) {
    std::string cells, pages;
    for (std::uint32_t i = 0; i < 6; ++i) {
      const auto name = "Spot " + std::string(1, static_cast<char>('A' + i));
      cells += "|-\n| 19" + std::to_string(10 + i) + " || " + link(name) + " || 7\n";
      pages += simple_page(200 + i, name.c_str(), ("It. [[Category:" + std::string(category) + "]]").c_str());
    }
    return simple_page(1, title, "{|\n! Season !! Home !! Score\n" + cells + "|}\n") + pages;
  };
  EXPECT_TRUE(kept(page("List of finals", "Clubs")).empty());
  EXPECT_EQ(kept(page("List of clubs", "Football clubs")).size(), 1U);
  EXPECT_EQ(kept(page("List of finals", "Home grounds and homes")).size(), 1U);
}

TEST_F(GroupLists, AnAffixOfArticlesDoesNotSayWhatTheirTablesList) {
  assignments = {"groups.list_prefixes=[\"Coasts of\", \"* district\"]"};
  const auto some = table("Light !! Height", {"[[Amber]]", "[[Basil]]", "[[Cress]]"});
  const auto other = table("Spot !! Height", {"[[Dill]]", "[[Elder]]", "[[Fennel]]"});
  EXPECT_EQ(kept(simple_page(1, "Coasts of Ostrand", some) +
                 simple_page(2, "North district", "== Past ==\nx\n== Land ==\nx\n== Order ==\n" + other)),
            (Texts{"Coasts of Ostrand » Light: 3"}));
}

TEST_F(GroupLists, PeopleOfOneNameAreNoList) {
  assignments = {"groups.list_prefixes=*"};
  std::string pages;
  std::uint32_t id = 200;
  for (const char* title :
       {"Shahov Boris", "Shahov Ivan", "Shahov Petr", "Potion of age", "Potion of ice", "Potion of fire"})
    pages += simple_page(id++, title, "x");
  EXPECT_EQ(
      kept(simple_page(1, "Shahov", "== Notable people ==\n" + items({"Shahov Boris", "Shahov Ivan", "Shahov Petr"})) +
           simple_page(2, "Potion",
                       "== Known potions ==\n" + items({"Potion of age", "Potion of ice", "Potion of fire"})) +
           pages),
      (Texts{"Potion » Known potions » list items: 3"}));
}

TEST_F(GroupLists, PagesOfChangesHoldNoLists) {
  assignments = {"groups.list_prefixes=*"};
  const auto some = items({"Amber", "Basil", "Cress"});
  std::string pages;
  std::uint32_t id = 1;
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{{"1.2.0", "1.1.0"},
                                                                                      {"v2.1 beta 3", "v2.0"},
                                                                                      {"Game 1.4 (2014)", "Game 1.3"},
                                                                                      {"12 May 2024", "3 April 2024"}})
    pages += simple_page(id++, ("Lights " + first).c_str(),
                         "== " + first + " ==\n" + some + "== " + second + " ==\n" + some);
  EXPECT_TRUE(kept(pages).empty());
  EXPECT_EQ(report.rejected.at("page that is no list: navigation or a log of changes"), 4U);
}

TEST_F(GroupLists, VersionsAreToldFromNumbersOfChapters) {
  for (const char* heading : {"1.2", "Version 2.0", "v0.9.1", "OpenTTD 1.4.2-RC1", "1.0 beta 2", "2.1: The harbour"})
    EXPECT_TRUE(is_version_heading(heading)) << heading;
  for (const char* heading : {"1.2 Setup", "1970s", "1", "Lights", "Chapter 3", "The lights of 1.5 metres height", ""})
    EXPECT_FALSE(is_version_heading(heading)) << heading;
}

TEST_F(GroupLists, TranslationsAndPagesOfUsersHoldNoLists) {
  const auto some = items({"Amber", "Basil", "Cress"});
  EXPECT_TRUE(kept(simple_page(1, "List of lights/de", some) + simple_page(2, "List of lights (Deutsch)", some) +
                   simple_page(3, "List of lights (русский)", some))
                  .empty());
  EXPECT_EQ(report.rejected.at("page that is no list: a translation of another page"), 3U);
  EXPECT_EQ(kept(simple_page(1, "List of lights (north)", some)), (Texts{"List of lights (north) » list items: 3"}));
}

TEST_F(GroupLists, AListOfWhichFewAreWhatItsTitleSaysIsNone) {
  std::string names, pages;
  for (std::uint32_t i = 0; i < 9; ++i) {
    const auto name = "Spot " + std::string(1, static_cast<char>('A' + i));
    names += "* " + link(name) + "\n";
    pages += simple_page(200 + i, name.c_str(), i < 3 ? "Here. [[Category:Old potions]]" : "There. [[Category:Boats]]");
  }
  EXPECT_TRUE(kept(simple_page(1, "List of potions", names) + pages).empty());
  EXPECT_EQ(found.at(0).discarded, DiscardReason::kOtherKind) << found.at(0).detail;
  EXPECT_EQ(kept(simple_page(1, "List of vessels", names) + pages).size(), 1U) << "another word may mean the same";
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
