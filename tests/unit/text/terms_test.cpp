#include "text/terms.hpp"

#include "common/error.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::text {
namespace {

std::vector<std::string> stems(const std::vector<Term>& terms) {
  std::vector<std::string> out;
  for (const auto& term : terms) out.push_back(term.stem);
  return out;
}

TEST(TermSplitter, WordsAreLowerCaseWithoutAccentsAndStemmed) {
  TermSplitter splitter("english");
  EXPECT_EQ(stems(splitter.split("Lighthouses, SHINING; Café!")),
            (std::vector<std::string>{"lighthous", "shine", "cafe"}));
}

TEST(TermSplitter, WithoutAStemmerWordsStayWhole) {
  TermSplitter splitter("");
  EXPECT_EQ(stems(splitter.split("Lighthouses shining")), (std::vector<std::string>{"lighthouses", "shining"}));
}

TEST(TermSplitter, OffsetsAreCodePoints) {
  TermSplitter splitter("");
  const auto terms = splitter.split("Über 🚢 Ōstra");
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[0].begin, 0U);
  EXPECT_EQ(terms[0].end, 4U);
  EXPECT_EQ(terms[1].begin, 7U);
  EXPECT_EQ(terms[1].end, 12U);
}

TEST(TermSplitter, CombiningMarksBelongToTheirWord) {
  TermSplitter splitter("");
  const auto terms = splitter.split("cafe\u0301 x");
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[0].stem, "cafe");
  EXPECT_EQ(terms[0].end, 5U);
}

TEST(TermSplitter, HanAndKanaLettersAreWordsOfTheirOwn) {
  TermSplitter splitter("");
  const auto terms = splitter.split("神社のABC");
  EXPECT_EQ(stems(terms), (std::vector<std::string>{"神", "社", "の", "abc"}));
  EXPECT_EQ(terms[1].begin, 1U);
  EXPECT_EQ(terms[1].end, 2U);
}

TEST(TermSplitter, SentencesEndAtAStopBeforeABlankAndACapital) {
  TermSplitter splitter("english");
  const auto terms = splitter.split("It rose. Then fell! 3 men saw e.g. this? yes");
  std::vector<std::uint32_t> sentences;
  for (const auto& term : terms) sentences.push_back(term.sentence);
  EXPECT_EQ(sentences, (std::vector<std::uint32_t>{0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2}));
}

TEST(TermSplitter, NumbersWithPointsStayInTheirSentence) {
  TermSplitter splitter("");
  for (const auto& term : splitter.split("3.5 metres")) EXPECT_EQ(term.sentence, 0U);
}

TEST(TermSplitter, StopWordsAreKnownAfterReduction) {
  TermSplitter splitter("english");
  const auto terms = splitter.split("The Lists of Names shine");
  ASSERT_EQ(terms.size(), 5U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(splitter.is_stop_word(terms[i].stem)) << terms[i].stem;
  EXPECT_FALSE(splitter.is_stop_word(terms[4].stem));
}

TEST(TermSplitter, NothingComesOfNothing) {
  TermSplitter splitter("english");
  EXPECT_TRUE(splitter.split("").empty());
  EXPECT_TRUE(splitter.split(" .,; — 🚢").empty());
}

TEST(TermSplitter, BytesThatAreNoTextDoNoHarm) {
  TermSplitter splitter("english");
  EXPECT_EQ(stems(splitter.split("a\xff\xfe b\xc3")), (std::vector<std::string>{"a", "b"}));
}

TEST(TermSplitter, AnUnknownStemmerIsAnError) {
  EXPECT_THROW(TermSplitter("klingon"), Error);
}

}  // namespace
}  // namespace touchstone::text
