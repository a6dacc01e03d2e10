#include "pipeline/headings/heading_words.hpp"

#include "pipeline/headings/builtin_headings.hpp"
#include "pipeline/headings/index_heading.hpp"
#include "tests/support/error_message.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::headings {
namespace {

using testing::message_of;

PhraseSet phrases(std::initializer_list<const char*> list) {
  PhraseSet set;
  for (const auto* phrase : list) set.add(phrase);
  return set;
}

TEST(PhraseSet, WholeHeadingsAreCompared) {
  const auto set = phrases({"See also", "siehe auch"});
  EXPECT_TRUE(set.matches("SEE  ALSO:"));
  EXPECT_TRUE(set.matches("Siehe_auch"));
  EXPECT_FALSE(set.matches("See also this"));
  EXPECT_FALSE(set.matches(""));
  EXPECT_FALSE(PhraseSet().matches("See also"));
}

TEST(PhraseSet, PlaceholdersStandForTextDigitsAndRomanNumerals) {
  const auto set = phrases({"* (P#)", "#s", "siglo %", "portal:*"});
  EXPECT_TRUE(set.matches("part of (P361)"));
  EXPECT_FALSE(set.matches("part of (P)"));
  EXPECT_FALSE(set.matches("part of (P361) x"));
  EXPECT_TRUE(set.matches("1990s"));
  EXPECT_FALSE(set.matches("s"));
  EXPECT_TRUE(set.matches("Siglo XIX"));
  EXPECT_FALSE(set.matches("Siglo de Oro"));
  EXPECT_TRUE(phrases({"a*b"}).matches("AB")) << "* may stand for nothing";
  EXPECT_TRUE(set.matches("Portal:歴史"));
}

TEST(PhraseSet, PatternsFitFromEndToEnd) {
  const auto set = phrases({"a*c", "#*"});
  EXPECT_TRUE(set.matches("abc"));
  EXPECT_TRUE(set.matches("ac"));
  EXPECT_FALSE(set.matches("abcd"));
  EXPECT_FALSE(set.matches("xabc"));
  EXPECT_TRUE(set.matches("12 é"));
  EXPECT_FALSE(set.matches("é 12"));
}

TEST(PhraseSet, WhatStandsAroundPlaceholdersMayNotOverlap) {
  const auto set = phrases({"ab*ba", "x#x", "i% y", "*#", "#*#"});
  EXPECT_TRUE(set.matches("abba"));
  EXPECT_FALSE(set.matches("aba"));
  EXPECT_FALSE(set.matches("xx"));
  EXPECT_FALSE(set.matches("x"));
  EXPECT_TRUE(set.matches("x12x"));
  EXPECT_FALSE(set.matches("i y"));
  EXPECT_TRUE(set.matches("ii y"));
  EXPECT_TRUE(set.matches("chapter 7"));
  EXPECT_TRUE(set.matches("٣")) << "digits of other scripts";
  EXPECT_TRUE(phrases({"#*#"}).matches("1-2"));
  EXPECT_FALSE(phrases({"#*#"}).matches("1"));
}

TEST(PhraseSet, HostilePatternsStayCheap) {
  const auto set = phrases({"*a*a*a*a*a*a*a*a*a*a*b"});
  EXPECT_FALSE(set.matches(std::string(2'000, 'a')));
  EXPECT_FALSE(set.matches(std::string(2'000'000, 'a')));
  EXPECT_TRUE(set.matches(std::string(1'000, 'a') + "b"));
}

TEST(PhraseSet, PhrasesAreRemoved) {
  auto set = phrases({"Notes", "#s"});
  set.remove("notes:");
  set.remove("#s");
  EXPECT_TRUE(set.empty());
}

TEST(HeadingWords, EveryFileCanBeRead) {
  EXPECT_EQ(heading_languages().size(), 17U);
  for (const auto& language : heading_languages()) {
    const auto words = heading_words(language);
    EXPECT_FALSE(words.forbidden.empty()) << language;
    EXPECT_FALSE(words.dates.empty()) << language;
  }
}

TEST(HeadingWords, EachLanguageForbidsItsOwnHeadings) {
  struct Case {
    const char* language;
    const char* heading;
  };
  for (const auto& [language, heading] :
       {Case{"en", "External Links"}, Case{"de", "Weblinks"}, Case{"fr", "Voir aussi"}, Case{"es", "Véase también"},
        Case{"ja", "関連項目"}, Case{"zh", "參見"}, Case{"ru", "См. также"}, Case{"ltg", "Nūruodis"},
        Case{"it", "Voci correlate"}, Case{"nl", "Zie ook"}, Case{"pl", "Zobacz też"}, Case{"pt", "Ver também"}}) {
    EXPECT_TRUE(heading_words(language).forbidden.matches(heading)) << language;
    EXPECT_FALSE(heading_words("fi").forbidden.matches(heading)) << language;
  }
}

TEST(HeadingWords, AWikiKnowsTheHeadingsOfOtherScripts) {
  EXPECT_TRUE(wiki_heading_words("en").forbidden.matches("関連項目"));
  EXPECT_TRUE(wiki_heading_words("en").forbidden.matches("脚注"));
  EXPECT_TRUE(wiki_heading_words("en").prose.matches("History"));
  EXPECT_TRUE(wiki_heading_words("en").prose.matches("Changes to deities"));
  EXPECT_FALSE(wiki_heading_words("de").forbidden.matches("See also"));
  EXPECT_FALSE(heading_words("en").forbidden.matches("関連項目"));
}

TEST(HeadingWords, NoLanguageIsEnglishByAccident) {
  for (const auto* language : {"de", "ja", "ltg", "xx", ""}) {
    const auto words = heading_words(language);
    EXPECT_FALSE(words.forbidden.matches("See also")) << language;
    EXPECT_FALSE(words.lists.matches("List of lighthouses")) << language;
    EXPECT_FALSE(words.miscellaneous.matches("Miscellaneous")) << language;
    EXPECT_FALSE(words.dates.matches("March 12")) << language;
    EXPECT_TRUE(words.forbidden.matches("part of (P361)")) << language << " has what all wikis have";
    EXPECT_TRUE(words.dates.matches("1984")) << language;
  }
}

TEST(HeadingWords, VariantsHaveTheWordsOfTheirLanguage) {
  EXPECT_TRUE(heading_words("de-formal").forbidden.matches("Siehe auch"));
  EXPECT_TRUE(heading_words("zh-hant").forbidden.matches("参见"));
  EXPECT_TRUE(heading_words("simple").forbidden.matches("Other websites"));
  EXPECT_FALSE(heading_words("common").forbidden.matches("See also"));
}

TEST(HeadingWords, DatesHaveTheMonthsOfTheLanguage) {
  EXPECT_TRUE(heading_words("en").dates.matches("12 March"));
  EXPECT_TRUE(heading_words("en").dates.matches("March 12, 1984"));
  EXPECT_TRUE(heading_words("de").dates.matches("12. März 1984"));
  EXPECT_TRUE(heading_words("ru").dates.matches("12 марта")) << "genitive";
  EXPECT_TRUE(heading_words("ru").dates.matches("Март"));
  EXPECT_TRUE(heading_words("ja").dates.matches("3月12日"));
  EXPECT_TRUE(heading_words("pl").dates.matches("XIX wiek"));
  EXPECT_TRUE(heading_words("ltg").dates.matches("18 godu symts"));
  EXPECT_TRUE(heading_words("ltg").dates.matches("Rudiņa mieneša 15 dīna"));
  EXPECT_FALSE(heading_words("en").dates.matches("The March on Rome"));
}

TEST(HeadingWords, ListTitlesStartOrEndAsInTheLanguage) {
  EXPECT_TRUE(heading_words("en").lists.matches("Lists of rivers"));
  EXPECT_FALSE(heading_words("en").lists.matches("Listen to me"));
  EXPECT_TRUE(heading_words("fr").lists.matches("Liste d'écoles"));
  EXPECT_TRUE(heading_words("ja").lists.matches("灯台の一覧"));
}

TEST(HeadingWords, LanguagesInOtherScriptsAreThoseWithoutLatinLettersAndWithoutTheLanguagesOwn) {
  using Languages = std::vector<std::string>;
  EXPECT_EQ(languages_in_other_scripts("en"), (Languages{"ja", "ru", "uk", "zh"}));
  EXPECT_EQ(languages_in_other_scripts("ru"), (Languages{"ja", "zh"}));
  EXPECT_EQ(languages_in_other_scripts("zh"), (Languages{"ru", "uk"}));
  EXPECT_EQ(languages_in_other_scripts("ja"), (Languages{"ru", "uk"}));
  EXPECT_EQ(languages_in_other_scripts(""), Languages{});
}

TEST(HeadingWords, HeadingsOfMachinesAndEditorsSayNothingAlone) {
  const auto words = heading_words("en").miscellaneous;
  for (const auto* heading :
       {"AUTOGENERATED CONTENT FROM WIKIDATA", "Japanese Wikipedia content", "Merged second translation", "Contents"})
    EXPECT_TRUE(words.matches(heading)) << heading;
  for (const auto* heading : {"Content", "Wikipedia", "Translation", "Information"})
    EXPECT_FALSE(words.matches(heading)) << heading;
}

TEST(HeadingWords, ABadFileIsNamedWithItsLine) {
  HeadingWords words;
  const auto error = [&](const char* source) {
    return message_of<ConfigError>([&] { add_heading_words(words, source, "x.toml", "en"); });
  };
  EXPECT_EQ(error("# c\nforbiden = []"),
            "x.toml, line 2: unknown key 'forbiden'; known are forbidden, navigation, miscellaneous, boilerplate, "
            "prose, dates, ordering, attributes, drafts and first_person");
  EXPECT_EQ(error("forbidden = [1]"), "x.toml, line 1: 'forbidden' must be a list of strings");
  EXPECT_EQ(error("forbidden = 'x'"), "x.toml, line 1: 'forbidden' must be a list of strings");
  EXPECT_NE(error("\nforbidden = [").find("x.toml, line 2: "), std::string::npos);
}

TEST(IndexHeading, LettersRangesAndSmallNumbersOnlyOrder) {
  for (const char* heading : {"A", "A–C", "A-C", "A to C", "X, Y, Z", "A B C", "Ж", "А—Д", "あ行", "か", "Å–Ö", "0–9",
                              "1–100", "#", "A bis C", "Ļ", "7"})
    EXPECT_TRUE(is_index_heading(heading)) << heading;
  for (const char* heading : {"1990", "1990s", "19th century", "North", "神", "강", "A Coruña", "Type A", "and", "",
                              "To be", "Vitamin C", "1990–1999"})
    EXPECT_FALSE(is_index_heading(heading)) << heading;
}

TEST(HeadingWords, EveryLanguageNamesWhatMakesNoTopic) {
  for (const auto& language : heading_languages()) {
    const auto words = heading_words(language);
    EXPECT_FALSE(words.forbidden.empty()) << language;
    EXPECT_FALSE(words.ordering.empty()) << language;
    EXPECT_FALSE(words.attributes.empty()) << language;
    EXPECT_FALSE(words.drafts.empty()) << language;
  }
  EXPECT_TRUE(heading_words("sv").forbidden.matches("Se även"));
  EXPECT_TRUE(heading_words("cs").attributes.matches("Země"));
  EXPECT_TRUE(heading_words("en").drafts.matches("List of lights/draft"));
  EXPECT_FALSE(heading_words("en").drafts.matches("List of lights"));
  EXPECT_TRUE(heading_words("en").ordering.matches("By island"));
}

}  // namespace
}  // namespace touchstone::pipeline::headings
