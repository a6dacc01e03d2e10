#include "text/words.hpp"

#include "text/characters.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::text {
namespace {

TEST(CountWords, CountsRunsBetweenBlanks) {
  EXPECT_EQ(count_words(""), 0U);
  EXPECT_EQ(count_words("  one two  three "), 3U);
  EXPECT_EQ(count_words("one\ttwo\nthree"), 3U);
  EXPECT_EQ(count_words("one\xC2\xA0two\xE3\x80\x80three"), 3U) << "no-break and ideographic blanks part words";
  EXPECT_EQ(count_words("\xE3\x80\x80"), 0U);
}

TEST(CountWords, CountsTwoLettersOfScriptsWithoutBlanksAsOne) {
  EXPECT_EQ(count_words("\xE7\xA5\x9E\xE7\xA4\xBE\xE3\x80\x82\xE6\x9D\xB1"), 2U);
  EXPECT_EQ(count_words("ベルリンは首都"), 4U);
  EXPECT_EQ(count_words("In \xE5\xB1\xB1 und \xE5\xB1\xB1\xE7\x94\xB0"), 4U);
}

TEST(CountWords, TakesAnyBytes) {
  EXPECT_EQ(count_words("\xFF\xFE x"), 2U);
}

std::vector<std::string> words_of(std::string_view text, const CategoryRoles& roles) {
  std::vector<std::string> words;
  for_each_word(text, roles,
                [&](const Word& word) { words.push_back((word.alone ? "*" : "") + std::string(word.of(text))); });
  return words;
}

TEST(ForEachWord, AWordIsARunOfItsCharacters) {
  constexpr CategoryRoles kRoles{kLettersAndDigits, U_GC_MN_MASK};
  EXPECT_EQ(words_of("It's 5 o'clock, cafe\u0301!", kRoles),
            (std::vector<std::string>{"It", "s", "5", "o", "clock", "cafe\u0301"}));
  EXPECT_EQ(words_of("\u0301 a\xFF\xFE b", kRoles), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(words_of(" ,", kRoles).empty());
}

TEST(ForEachWord, ACharacterMayBeAWordOfItsOwnWithItsMarks) {
  constexpr CategoryRoles kRoles{kLettersAndDigits, U_GC_M_MASK, is_written_without_blanks};
  EXPECT_EQ(words_of("ab\u304B\u3099\u304Dcd", kRoles),
            (std::vector<std::string>{"ab", "*\u304B\u3099", "*\u304D", "cd"}));
}

TEST(ForEachWord, CountsCharactersOfUtf32) {
  std::vector<std::size_t> ends;
  for_each_word(std::u32string_view(U"\u00DCber \u014Cstra"), CategoryRoles{kLettersAndDigits, 0},
                [&](const Word& word) { ends.push_back(word.end); });
  EXPECT_EQ(ends, (std::vector<std::size_t>{4, 10}));
}

TEST(PartsOf, LeavesOutEmptyParts) {
  EXPECT_EQ(parts_of(" a  bc "), (std::vector<std::string_view>{"a", "bc"}));
  EXPECT_EQ(parts_of("a/b c/", "/"), (std::vector<std::string_view>{"a", "b c"}));
  EXPECT_TRUE(parts_of("").empty());
}

TEST(Trimmed, TakesOffBothEnds) {
  EXPECT_EQ(trimmed("  a b "), "a b");
  EXPECT_EQ(trimmed("\n a\n", " \n"), "a");
  EXPECT_EQ(trimmed("  "), "");
  EXPECT_EQ(trimmed(""), "");
}

}  // namespace
}  // namespace touchstone::text
