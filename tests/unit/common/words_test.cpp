#include "common/words.hpp"

#include <gtest/gtest.h>

namespace touchstone {
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
  EXPECT_EQ(count_words("In \xE5\xB1\xB1 und \xE5\xB1\xB1\xE7\x94\xB0"), 4U);
}

TEST(CountWords, TakesAnyBytes) {
  EXPECT_EQ(count_words("\xFF\xFE x"), 2U);
}

}  // namespace
}  // namespace touchstone
