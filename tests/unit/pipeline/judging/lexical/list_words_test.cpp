#include "pipeline/judging/lexical/list_words.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging::lexical {
namespace {

/// The words of a list by their part.
struct Parts {
  StemSet head, scope, section;
};

Parts words_of(const char* stemmer, std::vector<std::string> prefixes, std::string page, std::string column = "",
               std::vector<std::string> headings = {}) {
  JudgeRequest request;
  request.page = std::move(page);
  request.column = std::move(column);
  request.section_path = std::move(headings);
  text::TermSplitter splitter(stemmer);
  const auto list = ListReader(stemmer, std::move(prefixes)).read(request, splitter);
  const auto words = [](const std::vector<ListPhrase>& phrases) {
    StemSet all;
    for (const auto& phrase : phrases) all.insert(phrase.words.begin(), phrase.words.end());
    return all;
  };
  return {words(list.head), words(list.scope), words(list.section)};
}

std::vector<std::string> stems_of(std::string_view text) {
  text::TermSplitter splitter("");
  std::vector<std::string> stems;
  for (const auto& word : compared_words(splitter, text, Endings::kStemmed)) stems.push_back(word.stem);
  return stems;
}

TEST(ComparedWords, InScriptsWithoutBlanksNeighbouringLettersArePairs) {
  EXPECT_EQ(stems_of("富士山"), (std::vector<std::string>{"富士", "士山"}));
  EXPECT_EQ(stems_of("富士 山"), (std::vector<std::string>{"富士", "山"}));
  EXPECT_EQ(stems_of("the 山 of 富士"), (std::vector<std::string>{"the", "山", "of", "富士"}));
}

TEST(ComparedWords, APairStandsWhereItsLettersStand) {
  text::TermSplitter splitter("");
  const auto words = compared_words(splitter, "a 富士山", Endings::kStemmed);
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[2].begin, 3U);
  EXPECT_EQ(words[2].end, 5U);
}

TEST(ComparedWords, WithoutAStemmerEndingsAreCut) {
  text::TermSplitter splitter("");
  const auto stem = [&](const char* word) { return compared_words(splitter, word, Endings::kCut).at(0).stem; };
  EXPECT_EQ(stem("vaļsteibu"), stem("vaļsteiba"));
  EXPECT_EQ(stem("azaru"), stem("azars"));
  EXPECT_NE(stem("upe"), stem("upu"));
  EXPECT_NE(stem("1911"), stem("1912"));
  EXPECT_EQ(stem("富士山"), "富士");
}

TEST(ListReader, TheHeadStandsBeforeTheFirstFunctionWord) {
  const auto words = words_of("english", {"List of"}, "List of lighthouses of Ostrand", "Name", {"Kinds", "Towers"});
  EXPECT_EQ(words.head, (StemSet{"lighthous"}));
  EXPECT_EQ(words.scope, (StemSet{"ostrand"}));
  EXPECT_EQ(words.section, (StemSet{"tower"}));
}

TEST(ListReader, FunctionWordsOfTheWikisLanguageAreNoWordsOfTheList) {
  const auto words = words_of("german", {"Liste der"}, "Liste der Leuchttürme auf den Inseln von Ostrand");
  EXPECT_EQ(words.head.size(), 1U);
  EXPECT_EQ(words.scope, (StemSet{"inseln", "ostrand"}));
}

TEST(ListReader, WhereTheWordForListComesLastSoDoesTheHead) {
  const auto words = words_of("", {"*一覧"}, "富士山の灯台一覧");
  EXPECT_EQ(words.head, (StemSet{"灯台"}));
  EXPECT_EQ(words.scope, (StemSet{"富士", "士山"}));
}

TEST(ListReader, WithoutAFunctionWordTheWholeTitleIsTheHead) {
  const auto words = words_of("", {"*saroksts"}, "Latvejis piļsātu saroksts");
  EXPECT_EQ(words.head, (StemSet{"latve", "pilsa"}));
  EXPECT_TRUE(words.scope.empty());
}

TEST(ListReader, WhatAConjunctionAddsIsAnAlternative) {
  const auto read = [](const char* stemmer, const char* page) {
    JudgeRequest request;
    request.page = page;
    text::TermSplitter splitter(stemmer);
    return ListReader(stemmer, {"List of", "Liste der"}).read(request, splitter);
  };
  const auto churches = read("german", "Kirchen und Kapellen");
  ASSERT_EQ(churches.head.size(), 1U);
  EXPECT_EQ(churches.head[0].synonyms, (std::vector<StemPhrase>{{"kapell"}}));
  EXPECT_TRUE(churches.scope.empty());
  const auto towns = read("english", "List of towns and villages in Ostrand");
  ASSERT_EQ(towns.head.size(), 1U);
  EXPECT_EQ(towns.head[0].synonyms, (std::vector<StemPhrase>{{"villag"}}));
  ASSERT_EQ(towns.scope.size(), 1U);
  EXPECT_EQ(read("english", "List of rock and roll albums").scope.size(), 1U) << "roll albums are no second kind";
}

TEST(ListReader, OnlyTheWordForListSaysNothing) {
  const auto words = words_of("english", {"List of"}, "List of given names in Ostrand", "Name");
  EXPECT_EQ(words.head, (StemSet{"given", "name"}));
  EXPECT_TRUE(words.section.empty()) << "a column of names";
}

TEST(ListReader, UnderATitleThatIsNoListItsHeadingSaysWhatIsListed) {
  const auto words = words_of("english", {"", "List of"}, "Cooking", "Item", {"Food", "Pies"});
  EXPECT_EQ(words.head, (StemSet{"pie"}));
  EXPECT_EQ(words.scope, (StemSet{"cook"}));
  EXPECT_TRUE(words.section.empty());
  EXPECT_EQ(words_of("english", {"List of"}, "Cooking", "Pie").head, (StemSet{"pie"}));
  EXPECT_EQ(words_of("english", {"List of"}, "Cooking", "Name").head, (StemSet{"cook"}));
  EXPECT_EQ(words_of("english", {"List of"}, "Shrines in Aki", "", {"Toyota"}).head, (StemSet{"shrine"}));
}

TEST(ListReader, APhraseIsWhatIsBetweenFunctionWords) {
  JudgeRequest request;
  request.page = "List of old lighthouses in the Great Ostra by height";
  text::TermSplitter splitter("english");
  const auto list = ListReader("english", {"List of"}).read(request, splitter);
  ASSERT_EQ(list.head.size(), 1U);
  EXPECT_EQ(list.head[0].text, "old lighthouses");
  ASSERT_EQ(list.scope.size(), 2U);
  EXPECT_EQ(list.scope[0].text, "Great Ostra");
  EXPECT_EQ(list.scope[1].text, "height");
}

TEST(ListReader, AHeadingMayGlossAPhraseOfTheTitle) {
  JudgeRequest request;
  request.page = "List of Shikinaisha in Aki";
  request.section_path = {"Shikinaisha (式内社)"};
  text::TermSplitter splitter("english");
  const auto list = ListReader("english", {"List of"}).read(request, splitter);
  EXPECT_TRUE(list.section.empty());
  ASSERT_EQ(list.head.size(), 1U);
  EXPECT_EQ(list.head[0].synonyms, (std::vector<StemPhrase>{{"式内", "内社"}}));
}

TEST(ListReader, WhatStandsForAColumnInListsOfItemsIsNoWordOfTheList) {
  EXPECT_TRUE(words_of("english", {"List of"}, "List of ships", "list items").section.empty());
}

}  // namespace
}  // namespace touchstone::pipeline::judging::lexical
