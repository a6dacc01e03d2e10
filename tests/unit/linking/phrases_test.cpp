#include "linking/phrases.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::linking {
namespace {

TEST(Phrases, CaseFullWidthLettersAndPunctuationDoNotTellPhrasesApart) {
  EXPECT_EQ(phrase_of("New York").number, phrase_of("NEW  york").number);
  EXPECT_EQ(phrase_of("J. R. R. Tolkien").number, phrase_of("J.R.R. Tolkien").number);
  EXPECT_EQ(phrase_of("\xEF\xBC\xA1\xEF\xBC\xA2").number, phrase_of("ab").number);
  EXPECT_NE(phrase_of("New York").number, phrase_of("York New").number);
  EXPECT_NE(phrase_of("Newyork").number, phrase_of("New York").number);
}

TEST(Phrases, APhraseKnowsThoseThatItBeginsWith) {
  const auto phrase = phrase_of("New York City");
  ASSERT_EQ(phrase.beginnings.size(), 2U);
  EXPECT_EQ(phrase.beginnings[0], phrase_of("new").number);
  EXPECT_EQ(phrase.beginnings[1], phrase_of("new york").number);
}

TEST(Phrases, WhatNamesNothingIsNoPhrase) {
  for (const char* text : {"", "  ", "...", "a", "1984", "12 500", "one (two)", "a b c d e f g h i j k l m"})
    EXPECT_EQ(phrase_of(text).number, 0U) << text;
  EXPECT_NE(phrase_of("1984 novel").number, 0U);
}

TEST(Phrases, LettersOfScriptsWithoutBlanksAreTokens) {
  const text::FoldedText text("\xE6\x9D\xB1\xE4\xBA\xAC Tower");
  const auto tokens = tokens_of(text);
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[1].begin, 1U);
  EXPECT_TRUE(tokens[1].follows_closely);
  EXPECT_EQ(tokens[2].begin, 3U);
  EXPECT_EQ(tokens[2].end, 8U);
  EXPECT_NE(phrase_of("\xE6\x9D\xB1").number, 0U);
}

TEST(Phrases, TokensFarApartOrInAnotherClauseDoNotContinueAPhrase) {
  const text::FoldedText text("one, two; three .... four");
  const auto tokens = tokens_of(text);
  ASSERT_EQ(tokens.size(), 4U);
  EXPECT_FALSE(tokens[0].follows_closely);
  EXPECT_TRUE(tokens[1].follows_closely);
  EXPECT_FALSE(tokens[2].follows_closely);
  EXPECT_FALSE(tokens[3].follows_closely);
}

std::vector<std::string> words_in_prose(const std::string& text) {
  std::vector<std::string> words;
  for (const auto& token : prose_tokens_of(text::FoldedText(text)))
    words.push_back(text.substr(token.begin, token.end - token.begin));
  return words;
}

TEST(Phrases, AddressesAndCodeAreNoProse) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(words_in_prose("see https://a.example/wiki/Ise_Shrine, or (www.b.example) now"),
            (Words{"see", "or", "now"}));
  EXPECT_EQ(words_in_prose("ask ada@sea.example about Ise::Lamp, max_width and start() today"),
            (Words{"ask", "about", "and", "today"}));
  EXPECT_EQ(words_in_prose("write `lamp on` here, and one ` alone\n` stays"),
            (Words{"write", "here", "and", "one", "alone", "stays"}));
  EXPECT_EQ(words_in_prose("on/off, e.g. _this_ and 12:30"), (Words{"on", "off", "e", "g", "this", "and", "12", "30"}));
}

TEST(Phrases, NoPhraseGoesAcrossCode) {
  const auto tokens = prose_tokens_of(text::FoldedText("New `x` York"));
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_FALSE(tokens[1].follows_closely);
}

}  // namespace
}  // namespace touchstone::linking
