#include "common/unicode.hpp"

#include <ctime>
#include <string>

#include <gtest/gtest.h>

namespace touchstone {
namespace {

constexpr char kAcute[] = "\u0301";
constexpr char kGraveBelow[] = "\u0316";

std::string repeat(const std::string& piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(Nfc, MarksAreComposedAndOrdered) {
  EXPECT_EQ(nfc(std::string("e") + kAcute), "\u00E9");
  EXPECT_EQ(nfc(std::string("x") + kAcute + kGraveBelow), std::string("x") + kGraveBelow + kAcute);
}

TEST(Nfc, LongTextIsComposedThroughout) {
  EXPECT_EQ(nfc(repeat(std::string("e") + kAcute + " \u4E00", 1'000)), repeat("\u00E9 \u4E00", 1'000));
}

TEST(Nfc, MarksWithoutEndTakeTimeByTheirNumberOnly) {
  const std::string marks = repeat(std::string(kAcute) + kGraveBelow, 250'000);
  const std::clock_t begin = std::clock();
  const std::string result = nfc("a" + marks);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 10);
  // The first acute finds its letter; order is made within stretches of the run.
  EXPECT_EQ(count_code_points(result), 500'000U);
  EXPECT_EQ(result.substr(0, 2), "\u00E1");
}

TEST(Utf8, OnlyShortestFormsOfCharactersAreValid) {
  for (const std::string_view valid : {"", "a", "\u00E9", "\uFFFF", "\U0010FFFF"}) EXPECT_TRUE(is_valid_utf8(valid));
  for (const std::string_view invalid :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xE3\x81", "\xFF"}) {
    EXPECT_FALSE(is_valid_utf8(invalid));
    EXPECT_FALSE(is_valid_utf8(std::string(100, 'a') + std::string(invalid)));
    EXPECT_NE(repair_utf8(invalid), invalid);
  }
}

TEST(CodePoints, OffsetsGoToBytesAndBack) {
  const std::string_view text = "a\u00E9\u4E2D\U0001F600b";
  ByteCounter bytes(text);
  CodePointCounter points(text);
  const std::size_t expected[] = {0, 1, 3, 6, 10, 11};
  for (std::uint32_t i = 0; i < 6; ++i) {
    EXPECT_EQ(bytes.at_code_point(i), expected[i]);
    EXPECT_EQ(points.at_byte(expected[i]), i);
  }
  EXPECT_EQ(bytes.at_code_point(9), text.size());
}

TEST(Unicode, InvisibleTextsHoldWhiteSpaceControlsAndIgnorableCharacters) {
  for (const char* text : {"", " ", "\xC2\xA0", "\xE2\x80\x8B\xE2\x81\xA0", "\xC2\xAD", "\x01\t\x7F", "\xE2\x80\xAE",
                           "\xEF\xBB\xBF", "\xE2\x80\xA8", "\xE3\x85\xA4"})
    EXPECT_TRUE(is_invisible(text)) << text;
  EXPECT_TRUE(is_invisible(std::string_view("\0", 1)));
  for (const char* text : {".", "\xE2\x80\x8B.", "\xCC\x81", "\xFF", "\xE2\x80\x94", "0"})
    EXPECT_FALSE(is_invisible(text)) << text;
}

}  // namespace
}  // namespace touchstone
