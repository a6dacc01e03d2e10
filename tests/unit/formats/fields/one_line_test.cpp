#include "formats/fields/one_line.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::fields {
namespace {

TEST(OneLine, ReplacesEveryLineEndAndControlByOneSpace) {
  EXPECT_EQ(one_line("a\tb\r\nc\rd\ve\x7F"), "a b  c d e ");
  EXPECT_EQ(one_line("a\xC2\x85"
                     "b\xE2\x80\xA8"
                     "c\xE2\x80\xA9"
                     "d"),
            "a b c d");
}

TEST(OneLine, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(one_line("a\xFF\xC3"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(one_line("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(OneLine, LeavesOtherTextAlone) {
  const std::string text = "Žemaičių 茶 شاي \xF0\x9F\x8D\xB5 \"x\"";
  EXPECT_EQ(one_line(text), text);
  EXPECT_TRUE(is_one_line(text));
  EXPECT_FALSE(is_one_line("a\nb"));
  EXPECT_FALSE(is_one_line("a\xFF"));
}

TEST(PlainLines, KeepsLineFeedsOnly) {
  EXPECT_EQ(plain_lines("a\tb\nc\r"), "a b\nc ");
  EXPECT_TRUE(is_plain_lines("a\nb"));
  EXPECT_FALSE(is_plain_lines("a\rb"));
}

TEST(OneLine, BlankIsEmptyOrOnlyWhiteSpaceAndControls) {
  EXPECT_TRUE(is_blank("\x7F\x0E\xE2\x80\xA8"));
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(" \t\n\xC2\xA0\xE3\x80\x80"));
  EXPECT_FALSE(is_blank(" ."));
}

}  // namespace
}  // namespace touchstone::formats::fields
