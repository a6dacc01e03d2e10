#include "retrieval/tokenizer.hpp"

#include <gtest/gtest.h>

namespace touchstone::retrieval {
namespace {

using Terms = std::vector<TermCount>;

Terms words(std::string_view text, const std::string& stemmer = "") {
  Tokenizer tokenizer(stemmer);
  tokenizer.add(text);
  return stemmer.empty() ? tokenizer.take_words(false) : tokenizer.take_stems(false);
}

TEST(Tokenizer, LowerCaseWordsAreCounted) {
  EXPECT_EQ(words("Red, red ÄPFEL; x2-ray"), (Terms{{"ray", 1}, {"red", 2}, {"x2", 1}, {"äpfel", 1}}));
}

TEST(Tokenizer, ComposedAndDecomposedLettersAreEqual) {
  EXPECT_EQ(words("a\xCC\x88pfel"), words("\xC3\xA4pfel"));
}

TEST(Tokenizer, StemsWhereThereIsAStemmer) {
  EXPECT_EQ(words("lighthouses houses", "en"), (Terms{{"hous", 1}, {"lighthous", 1}}));
  EXPECT_EQ(stemmer_of("ltg"), "");
  EXPECT_EQ(stemmer_of("none"), "");
  EXPECT_EQ(stemmer_of("de"), "de");
}

TEST(Tokenizer, ScriptsWithoutBlanksGivePairs) {
  EXPECT_EQ(words("出雲市"), (Terms{{"出", 1}, {"出雲", 1}, {"市", 1}, {"雲", 1}, {"雲市", 1}}));
  EXPECT_EQ(words("กรุง"), (Terms{{"กร", 1}, {"รุ", 1}, {"ุง", 1}}));
  EXPECT_EQ(words("ก x 市"), (Terms{{"x", 1}, {"ก", 1}, {"市", 1}}));
  EXPECT_EQ(words("JR東日本"), (Terms{{"jr", 1}, {"日", 1}, {"日本", 1}, {"本", 1}, {"東", 1}, {"東日", 1}}));
}

TEST(Tokenizer, TakesAtMostTheFirstWords) {
  Tokenizer tokenizer("");
  tokenizer.add("one two three four", 2);
  EXPECT_EQ(tokenizer.take_words(false), (Terms{{"one", 1}, {"two", 1}}));
}

TEST(Tokenizer, TakesTheCharacterThatEndsTheLastWord) {
  Tokenizer tokenizer("");
  tokenizer.add("one JR東日本", 2);
  EXPECT_EQ(tokenizer.take_words(false), (Terms{{"jr", 1}, {"one", 1}, {"東", 1}}));
}

TEST(Tokenizer, LongTermsAreCutBetweenCharacters) {
  const auto found = words(std::string(63, 'a') + "äää");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].first, std::string(63, 'a'));
}

TEST(Tokenizer, BytesThatAreNoTextPartWords) {
  EXPECT_EQ(words("ab\xFF"
                  "cd"),
            (Terms{{"ab", 1}, {"cd", 1}}));
}

}  // namespace
}  // namespace touchstone::retrieval
