#include "pipeline/headings/title_text.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::headings {
namespace {

TEST(TitleText, TitlesAreComparedAsMediaWikiWritesThem) {
  EXPECT_EQ(comparable_title("_green__sea turtle ", {}), "Green sea turtle");
  EXPECT_EQ(comparable_title("écluse", {}), "Écluse");
  EXPECT_EQ(comparable_title("e\u0301cluse", {}), "Écluse");
  EXPECT_EQ(comparable_title("green Sea", {}), "Green Sea") << "only the first letter";
  EXPECT_EQ(comparable_title(" _ ", {}), "");
}

TEST(TitleText, TheWikisRuleForTheFirstLetterHolds) {
  EXPECT_EQ(comparable_title("green", {"en", false}), "green");
  EXPECT_EQ(comparable_title("istanbul", {"tr", true}), "İstanbul");
}

TEST(TitleText, PiecesKeepTheirOuterBlanks) {
  EXPECT_EQ(comparable_piece("_births"), " births");
  EXPECT_EQ(comparable_piece("List of  "), "List of ");
}

TEST(TitleText, HeadingsAreComparedWithoutCaseBlanksAndColons) {
  EXPECT_EQ(comparable_heading("  See   ALSO : "), "see also");
  EXPECT_EQ(comparable_heading("関連項目："), "関連項目");
  EXPECT_EQ(comparable_heading("ΟΔΟΣ"), comparable_heading("οδος"));
  EXPECT_EQ(comparable_heading("STRASSE"), comparable_heading("Straße"));
  EXPECT_EQ(comparable_heading(":"), "");
}

TEST(TitleText, LettersOfEastAsianScriptsCountTwice) {
  EXPECT_EQ(count_letters("A–Z 12"), 2U);
  EXPECT_EQ(count_letters("歴史"), 4U);
  EXPECT_EQ(count_letters("他"), 2U);
  EXPECT_EQ(count_letters("Škiras"), 6U);
  EXPECT_EQ(count_letters("1984 – 85!"), 0U);
}

TEST(TitleText, EqualsSignsOfWrongMarkupDoNotCount) {
  EXPECT_EQ(comparable_heading("See Also ="), "see also");
  EXPECT_EQ(comparable_heading("== x == :="), "== x");
  EXPECT_EQ(comparable_heading("="), "");
}

}  // namespace
}  // namespace touchstone::pipeline::headings
