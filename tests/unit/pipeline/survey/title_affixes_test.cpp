#include "pipeline/survey/title_affixes.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace touchstone::pipeline::survey {
namespace {

using Texts = std::vector<std::string>;

bool has(const Texts& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

TEST(AffixesOf, GivesWordsAtBothEnds) {
  const auto affixes = affixes_of("List of grey rocks");
  EXPECT_EQ(affixes, (Texts{"* grey rocks", "* rocks", "List", "List of", "List of grey"}));
}

TEST(AffixesOf, GivesCharactersAtTheEndOfAScriptWithoutBlanks) {
  const auto affixes = affixes_of("灯台の一覧");
  EXPECT_EQ(affixes, (Texts{"*の一覧", "*一覧", "*台の一覧"}));
}

TEST(AffixesOf, StopsAtACharacterOfAnotherScript) {
  EXPECT_EQ(affixes_of("A一覧"), (Texts{"*一覧"}));
}

TEST(AffixesOf, GivesWhatStandsBeforeAColonAndBehindASlash) {
  EXPECT_TRUE(has(affixes_of("Anexo:Faros"), "Anexo:"));
  EXPECT_TRUE(has(affixes_of("Sword/Recipes"), "*/Recipes"));
}

TEST(AffixesOf, NeverGivesTheWholeTitle) {
  EXPECT_TRUE(affixes_of("Lighthouse").empty());
  EXPECT_TRUE(affixes_of("").empty());
  EXPECT_TRUE(affixes_of("Colon:").empty());
  EXPECT_TRUE(affixes_of("/Slash").empty());
}

/// Counts `lists` as list-like pages and `others` as other ones.
TitleAffixes counted(const Texts& lists, const Texts& others, const Texts& known = {}) {
  TitleAffixes affixes;
  for (const auto& title : lists) affixes.add_list(title);
  affixes.begin_counting(known);
  for (const auto& title : lists) affixes.count(title, true);
  for (const auto& title : others) affixes.count(title, false);
  return affixes;
}

Texts many_others() {
  Texts titles;
  for (int i = 0; i < 50; ++i) titles.push_back("Page " + std::to_string(i));
  return titles;
}

TEST(TitleAffixes, FindsABeginningThatNoLanguageTableHas) {
  const auto affixes = counted({"Rhestr o ynysoedd", "Rhestr o drefi", "Rhestr o lynnoedd"}, many_others());
  EXPECT_EQ(affixes.chosen(), (Texts{"Rhestr o"}));
}

TEST(TitleAffixes, FindsAnEnding) {
  const auto affixes = counted({"島の一覧", "町の一覧", "湖一覧"}, many_others());
  EXPECT_EQ(affixes.chosen(), (Texts{"*一覧"}));
}

TEST(TitleAffixes, TakesTheShorterOfTwoBeginningsIfItAddsPages) {
  const auto affixes =
      counted({"Liste der Seen", "Liste der Orte", "Liste der Inseln", "Liste von Vögeln"}, many_others());
  EXPECT_EQ(affixes.chosen(), (Texts{"Liste"}));
}

TEST(TitleAffixes, LeavesOutABeginningOfManyOtherPages) {
  auto others = many_others();
  for (int i = 0; i < 10; ++i) others.push_back("The rock " + std::to_string(i));
  const auto affixes = counted({"The one", "The two", "The three"}, others);
  EXPECT_TRUE(affixes.chosen().empty());
}

TEST(TitleAffixes, LeavesOutWhatIsNoMoreOftenListLikeThanThePagesOfTheWiki) {
  const auto affixes = counted({"Item a", "Item b", "Item c", "Sword", "Shield", "Bow", "Axe"}, {"Item d", "Item e"});
  EXPECT_TRUE(affixes.chosen().empty());
}

TEST(TitleAffixes, KeepsAKnownBeginningThatSomePageHas) {
  const auto affixes = counted({"List of rocks"}, many_others(), {"List of", "Lists of"});
  EXPECT_EQ(affixes.chosen(), (Texts{"List of"}));
}

TEST(TitleAffixes, CountsPagesAndListsExactly) {
  const auto affixes = counted({"List of a", "List of b", "List of c"}, {"List of d", "List office"});
  const auto all = affixes.counted();
  const auto found = std::find_if(all.begin(), all.end(), [](const auto& affix) { return affix.text == "List of"; });
  ASSERT_NE(found, all.end());
  EXPECT_EQ(found->lists, 3U);
  EXPECT_EQ(found->pages, 4U);
}

TEST(TitleAffixes, ForgetsRareAffixesWhenThereAreTooMany) {
  TitleAffixes affixes(100);
  for (int i = 0; i < 1000; ++i) {
    affixes.add_list("Rock " + std::to_string(i) + " x" + std::to_string(i));
    if (i % 10 == 0) affixes.add_list("List of things " + std::to_string(i));
  }
  affixes.begin_counting({});
  for (int i = 0; i < 3; ++i) affixes.count("List of things " + std::to_string(i), true);
  for (const auto& title : many_others()) affixes.count(title, false);
  EXPECT_FALSE(affixes.chosen().empty());
}

}  // namespace
}  // namespace touchstone::pipeline::survey
