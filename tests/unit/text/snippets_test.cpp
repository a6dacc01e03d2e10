#include "text/snippets.hpp"

#include "text/words.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::text {
namespace {

std::vector<std::string> cut(const std::string& text, const SnippetRules& rules) {
  std::vector<std::string> snippets;
  for (const auto& [begin, end] : cut_into_snippets(text, rules)) snippets.push_back(text.substr(begin, end - begin));
  return snippets;
}

using Texts = std::vector<std::string>;

TEST(Snippets, HoldAsManyWholeSentencesAsFit) {
  EXPECT_EQ(cut("One two. Three four five. Six. Seven eight.", {.max_words = 5}),
            (Texts{"One two. Three four five. ", "Six. Seven eight."}));
}

TEST(Snippets, ASentenceThatOverflowsBeginsTheNextSnippet) {
  EXPECT_EQ(cut("One two three. Four five six.", {.max_words = 5}), (Texts{"One two three. ", "Four five six."}));
}

TEST(Snippets, ATextWithoutPunctuationIsCutAtWhiteSpace) {
  EXPECT_EQ(cut("a b c d e f g", {.max_words = 3}), (Texts{"a b c ", "d e f ", "g"}));
}

TEST(Snippets, TheRestOfALongSentenceIsJoinedByTheNextSentence) {
  EXPECT_EQ(cut("a b c d e. Next one.", {.max_words = 4}), (Texts{"a b c d ", "e. Next one."}));
}

TEST(Snippets, CoverTheWholeTextInOrder) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += i % 7 == 6 ? "End. " : i % 31 == 30 ? "\n\n" : "w\xC3\xB6rd ";
  std::size_t at = 0;
  for (const auto& [begin, end] : cut_into_snippets(text)) {
    EXPECT_EQ(begin, at);
    EXPECT_LE(count_words(text.substr(begin, end - begin)), 130U);
    at = end;
  }
  EXPECT_EQ(at, text.size());
}

TEST(Snippets, ScriptsWithoutBlanksAreCountedByLettersOrNot) {
  std::string text;
  for (int i = 0; i < 10; ++i) text += "神社";
  EXPECT_EQ(cut(text, {.max_words = 5}).size(), 2U);
  EXPECT_EQ(cut(text, {.max_words = 5, .words = SnippetWords::kBetweenSpaces}).size(), 1U)
      << "no white space, so one word for the paper";
}

TEST(Snippets, AnEmptyTextHasNone) {
  EXPECT_TRUE(cut_into_snippets("").empty());
}

}  // namespace
}  // namespace touchstone::text
