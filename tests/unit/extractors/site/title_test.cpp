#include "extractors/site/site_info.hpp"

#include <gtest/gtest.h>

namespace touchstone::extractors::site {
namespace {

const SiteInfo& site() {
  static const SiteInfo english = SiteInfo::make_default("en");
  return english;
}

std::string read(std::string_view text) {
  const auto parsed = site().parse_title(text);
  return parsed ? site().prefixed(parsed->title) : "no title";
}

TEST(Title, UnderscoresAndRunsOfBlanksBecomeOneSpace) {
  EXPECT_EQ(read("_Foo__bar  baz_"), "Foo bar baz");
}
TEST(Title, TheFirstLetterIsUpperCase) {
  EXPECT_EQ(read("élan"), "Élan");
}
TEST(Title, NoBreakAndIdeographicSpacesAreBlanks) {
  EXPECT_EQ(read("A\xC2\xA0"
                 "B\xE3\x80\x80"
                 "C"),
            "A B C");
}
TEST(Title, DirectionMarksAreDropped) {
  EXPECT_EQ(read("\xE2\x80\x8E"
                 "Foo\xE2\x80\x8F"),
            "Foo");
}
TEST(Title, DecomposedLettersAreComposed) {
  EXPECT_EQ(read("Cafe\xCC\x81"), "Caf\xC3\xA9");
}
TEST(Title, NamespacesAreFoundInAnyCaseAndWithBlanks) {
  EXPECT_EQ(read("user_TALK : someone"), "User talk:Someone");
}
TEST(Title, ImageIsAnAliasOfFile) {
  EXPECT_EQ(read("image:a.png"), "File:A.png");
}
TEST(Title, ProjectIsTheWikisOwnNamespace) {
  EXPECT_EQ(read("Project:About"), "Wikipedia:About");
}
TEST(Title, AnUnknownPrefixIsPartOfTheTitle) {
  EXPECT_EQ(read("2001: A Space Odyssey"), "2001: A Space Odyssey");
}
TEST(Title, AngleBracketsAreIllegal) {
  EXPECT_EQ(read("a<b"), "no title");
}
TEST(Title, PercentEscapesAreIllegal) {
  EXPECT_EQ(read("a%20b"), "no title");
}
TEST(Title, RelativePathsAreIllegal) {
  EXPECT_EQ(read("a/../b"), "no title");
}
TEST(Title, ThreeTildesAreIllegal) {
  EXPECT_EQ(read("a~~~b"), "no title");
}
TEST(Title, ANamespaceAloneIsNoTitle) {
  EXPECT_EQ(read("Category:"), "no title");
}
TEST(Title, TitlesOfMoreThan255BytesAreIllegal) {
  EXPECT_NE(read(std::string(255, 'A')), "no title");
  EXPECT_EQ(read(std::string(256, 'A')), "no title");
}
TEST(Title, MalformedUtf8IsIllegal) {
  EXPECT_EQ(read("a\xFF"), "no title");
}

TEST(Title, TheFragmentIsParted) {
  const auto parsed = site().parse_title("Foo_bar_#Some_part");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->title.text, "Foo bar");
  EXPECT_EQ(parsed->fragment, "Some part");
}

TEST(Title, ALanguagePrefixIsInterlanguage) {
  const auto parsed = site().parse_title("DE:Foo");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->interwiki, "de");
  EXPECT_TRUE(parsed->interlanguage);
}

TEST(Title, TheWikisOwnPrefixIsLocal) {
  const auto parsed = site().parse_title("en:foo");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->title.text, "Foo");
  EXPECT_TRUE(parsed->interwiki.empty());
  EXPECT_TRUE(parsed->local_interwiki);
}

TEST(Title, ALeadingColonIsNoted) {
  const auto parsed = site().parse_title(":Category:X");
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->leading_colon);
  EXPECT_EQ(parsed->title.ns, kNamespaceCategory);
}

TEST(Title, ATalkPageOfAPageWithPrefixIsIllegal) {
  const auto parsed = site().parse_title("Talk:File:X");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error(), TitleError::kTalkOfNamespace);
}

}  // namespace
}  // namespace touchstone::extractors::site
