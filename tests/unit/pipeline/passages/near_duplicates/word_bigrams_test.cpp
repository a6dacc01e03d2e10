#include "pipeline/passages/near_duplicates/word_bigrams.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

std::vector<std::uint64_t> words(std::string_view text) {
  return WordHasher().words(text);
}

std::vector<std::uint64_t> bigrams(std::string_view text) {
  std::vector<std::uint64_t> found;
  word_bigrams(words(text), found);
  return found;
}

TEST(WordHasher, WordsAreRunsOfLettersAndDigitsInLowerCase) {
  EXPECT_EQ(words("The  OLD light-house, 1868!"), words("the old light house 1868"));
  EXPECT_EQ(words("Äpfel ÉTÉ ΣΊΓΜΑ Москва"), words("äpfel été σίγμα москва"));
  EXPECT_EQ(words("don't").size(), 2U);
}

TEST(WordHasher, ComposedAndDecomposedFormsAreOneWord) {
  EXPECT_EQ(words("caf\u00e9"), words("cafe\u0301"));
}

TEST(WordHasher, MarksBelongToTheirWord) {
  EXPECT_EQ(words("हिन्दी भाषा").size(), 2U);
}

TEST(WordHasher, LettersOfScriptsWithoutBlanksAreWords) {
  EXPECT_EQ(words("岐阜市").size(), 3U);
  EXPECT_EQ(words("ひらがなカナ").size(), 6U);
  EXPECT_EQ(words("กรุงเทพ").size(), 6U);  // the vowel below belongs to its letter
  EXPECT_EQ(words("第1回ABC"), words("第 1 回 abc"));
}

TEST(WordHasher, BytesThatAreNoTextSeparateWords) {
  EXPECT_EQ(words("one\xff\xfetwo"), words("one two"));
  EXPECT_EQ(words("\xe3\x81"), words(""));
}

TEST(WordBigrams, AreDistinctAndAscending) {
  const auto found = bigrams("to be or not to be");
  EXPECT_EQ(found.size(), 4U);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
}

TEST(WordBigrams, HaveAnOrder) {
  EXPECT_NE(bigrams("a b"), bigrams("b a"));
}

TEST(WordBigrams, OneWordHasABigramOfItsOwn) {
  EXPECT_EQ(bigrams("Time").size(), 1U);
  EXPECT_EQ(bigrams("Time"), bigrams("time."));
  EXPECT_NE(bigrams("time"), bigrams("time time"));
  EXPECT_TRUE(bigrams("...").empty());
}

}  // namespace
}  // namespace touchstone::pipeline::passages::near_duplicates
