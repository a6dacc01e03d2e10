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

TEST(DisplayExcerpt, ControlCharactersAndDirectionsBecomeBlanks) {
  EXPECT_EQ(display_excerpt("a\x1b[31mb\r\n\tc\x7f"), "a [31mb c");
  EXPECT_EQ(display_excerpt("a\u0085b\u009bc\u2028d\u202ee\u2066f\u200bg\ufeffh"), "a b c d e f g h");
  EXPECT_EQ(display_excerpt("  \n text \n "), "text");
  EXPECT_EQ(display_excerpt("\xFF\xFE"), "\uFFFD\uFFFD");
}

TEST(DisplayExcerpt, ItIsBoundedAtWholeCharacters) {
  EXPECT_EQ(display_excerpt("0123456789", 10), "0123456789");
  EXPECT_EQ(display_excerpt("0123456789a", 10), "0123456...");
  EXPECT_EQ(display_excerpt("ääääää", 10), "äää...");
  EXPECT_LE(display_excerpt(std::string(100'000, 'x')).size(), kExcerptBytes);
}

TEST(ShellWord, IsQuotedWhereAShellNeedsIt) {
  EXPECT_EQ(shell_word("work/a-1.toml"), "work/a-1.toml");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("my dump.xml"), "'my dump.xml'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace touchstone
