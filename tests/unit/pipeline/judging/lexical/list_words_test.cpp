#include "pipeline/judging/lexical/list_words.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging::lexical {
namespace {

ListWords words_of(const char* stemmer, std::vector<std::string> prefixes, std::string page, std::string column = "") {
  JudgeRequest request;
  request.page = std::move(page);
  request.column = std::move(column);
  corpus::TermSplitter splitter(stemmer);
  return ListReader(stemmer, std::move(prefixes)).read(request, splitter);
}

std::vector<std::string> stems_of(std::string_view text) {
  corpus::TermSplitter splitter("");
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
  corpus::TermSplitter splitter("");
  const auto words = compared_words(splitter, "a 富士山", Endings::kStemmed);
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[2].begin, 3U);
  EXPECT_EQ(words[2].end, 5U);
}

TEST(ComparedWords, WithoutAStemmerEndingsAreCut) {
  corpus::TermSplitter splitter("");
  const auto stem = [&](const char* word) { return compared_words(splitter, word, Endings::kCut).at(0).stem; };
  EXPECT_EQ(stem("vaļsteibu"), stem("vaļsteiba"));
  EXPECT_EQ(stem("azaru"), stem("azars"));
  EXPECT_NE(stem("upe"), stem("upu"));
  EXPECT_NE(stem("1911"), stem("1912"));
  EXPECT_EQ(stem("富士山"), "富士");
}

TEST(ListReader, TheHeadStandsBeforeTheFirstFunctionWord) {
  const auto words = words_of("english", {"List of"}, "List of lighthouses of Ostrand", "Tower");
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

TEST(ListReader, WhatStandsForAColumnInListsOfItemsIsNoWordOfTheList) {
  EXPECT_TRUE(words_of("english", {"List of"}, "List of ships", "list items").section.empty());
}

}  // namespace
}  // namespace touchstone::pipeline::judging::lexical
