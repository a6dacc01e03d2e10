#include "common/shown_text.hpp"

#include <gtest/gtest.h>

namespace touchstone {
namespace {

TEST(ShownText, ControlCharactersAndDirectionsBecomeBlanks) {
  EXPECT_EQ(shown_text("a\x1b[31mb\r\n\tc\x7f"), "a [31mb c");
  EXPECT_EQ(shown_text("a\u0085b\u009bc\u2028d\u202ee\u2066f\u200bg\ufeffh"), "a b c d e f g h");
  EXPECT_EQ(shown_text("  \n text \n "), "text");
  EXPECT_EQ(shown_text("\xFF\xFE"), "\uFFFD\uFFFD");
}

TEST(ShownText, ItIsBoundedAtWholeCharacters) {
  EXPECT_EQ(shown_text("0123456789", 10), "0123456789");
  EXPECT_EQ(shown_text("0123456789a", 10), "0123456...");
  EXPECT_EQ(shown_text("ääääää", 10), "äää...");
  EXPECT_LE(shown_text(std::string(100'000, 'x')).size(), kShownBytes);
}

}  // namespace
}  // namespace touchstone
