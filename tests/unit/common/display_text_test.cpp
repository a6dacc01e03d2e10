#include "common/display_text.hpp"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

TEST(DisplayText, EscapesWhatMovesTheCursorOrTurnsTheText) {
  EXPECT_EQ(display_text("a\tb\nc\rd"), "a\\tb\\nc\\rd");
  EXPECT_EQ(display_text("\x1b[31mred\x7f"), "\\u001b[31mred\\u007f");
  EXPECT_EQ(display_text("\xC2\x9B"
                         "31m\xC2\x85"),
            "\\u009b31m\\u0085")
      << "C1";
  EXPECT_EQ(display_text("\u202Eabc\u202C \u2066x\u2069 \u200F \u061C"),
            "\\u202eabc\\u202c \\u2066x\\u2069 \\u200f \\u061c");
  EXPECT_EQ(display_text("a\u2028b\u2029c"), "a\\u2028b\\u2029c");
  EXPECT_EQ(display_text("\xFFz\xC3"), "\\xffz\\xc3") << "no UTF-8";
}

TEST(DisplayText, LeavesTextsOfAllScriptsAsTheyAre) {
  for (const char* text :
       {"", "Old Tolmouth Light", "شاي أخضر", "日本 🚢", "Größe \\ \"x\"", "\uFFFD", "a\u00A0b\u200Bc\u200Dd"})
    EXPECT_EQ(display_text(text), text);
}

TEST(DisplayText, LinesKeepTheirEndsOnly) {
  EXPECT_EQ(display_lines("a\nb\tc\u2028\n"), "a\nb\\tc\\u2028\n");
}

}  // namespace
}  // namespace touchstone
