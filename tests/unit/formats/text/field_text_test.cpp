#include "formats/text/field_text.hpp"

#include "formats/json/json_text.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats {
namespace {

TEST(FieldText, OneLineReplacesEveryLineEndAndControlByOneSpace) {
  EXPECT_EQ(one_line("a\tb\r\nc\rd\ve\x7F"), "a b  c d e ");
  EXPECT_EQ(one_line("a\xC2\x85"
                     "b\xE2\x80\xA8"
                     "c\xE2\x80\xA9"
                     "d"),
            "a b c d");
}

TEST(FieldText, OneLineReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(one_line("a\xFF\xC3"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(one_line("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(FieldText, OneLineLeavesOtherTextAlone) {
  const std::string text = "Žemaičių 茶 شاي \xF0\x9F\x8D\xB5 \"x\"";
  EXPECT_EQ(one_line(text), text);
  EXPECT_TRUE(is_one_line(text));
  EXPECT_FALSE(is_one_line("a\nb"));
  EXPECT_FALSE(is_one_line("a\xFF"));
}

TEST(FieldText, BlankIsEmptyOrOnlyWhiteSpaceAndControls) {
  EXPECT_TRUE(is_blank("\x7F\x0E\xE2\x80\xA8"));
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(" \t\n\xC2\xA0\xE3\x80\x80"));
  EXPECT_FALSE(is_blank(" ."));
}

TEST(FieldText, SafeIdsAreAsciiWordsThatStartWithALetterOrDigit) {
  for (const char* id : {"t1", "enwiki-12-0", "A_b.c:d~e", "9"}) EXPECT_EQ(why_unsafe_id(id), "") << id;
  EXPECT_EQ(why_unsafe_id(""), "is empty");
  EXPECT_EQ(why_unsafe_id("a b"), "holds white space");
  EXPECT_EQ(why_unsafe_id("a\r"), "holds white space");
  EXPECT_EQ(why_unsafe_id("\"a"), "holds a quote");
  EXPECT_EQ(why_unsafe_id("a/b"), "holds a slash");
  EXPECT_EQ(why_unsafe_id("é"), "holds a character outside ASCII");
  EXPECT_EQ(why_unsafe_id("-a"), "starts with '-'");
  EXPECT_EQ(why_unsafe_id("a#b"), "holds '#'");
  EXPECT_EQ(why_unsafe_id(std::string_view("a\0b", 3)), "holds a control character");
  EXPECT_EQ(why_unsafe_id(std::string(201, 'a')), "is longer than 200 bytes");
}

TEST(FieldText, QuotedValuesInMessagesAreShortAndOneLine) {
  EXPECT_EQ(quote_for_message("a\nb"), "\"a b\"");
  const std::string quoted = quote_for_message(std::string(1000, 'x'));
  EXPECT_EQ(quoted, "\"" + std::string(60, 'x') + "...\"");
}

TEST(JsonText, StringsEscapeQuotesControlsAndLineSeparators) {
  std::string out;
  using namespace std::string_view_literals;
  append_json_string(out, "a\"b\\c\n\t\r\0\x1F\xC2\x85\xE2\x80\xA8/<é\xFF"sv);
  EXPECT_EQ(out, "\"a\\\"b\\\\c\\n\\t\\r\\u0000\\u001f\\u0085\\u2028/<é\xEF\xBF\xBD\"");
}

TEST(JsonText, NumbersHaveFixedDigitsWithoutTrailingZeros) {
  EXPECT_EQ(fixed_number(0.5, 6), "0.5");
  EXPECT_EQ(fixed_number(1, 6), "1.0");
  EXPECT_EQ(fixed_number(0, 6), "0.0");
  EXPECT_EQ(fixed_number(-0.0, 6), "0.0");
  EXPECT_EQ(fixed_number(2.0 / 3, 4), "0.6667");
  EXPECT_EQ(fixed_number(1e-9, 6), "0.0");
}

TEST(JsonText, ALineKeepsTheOrderOfItsFields) {
  EXPECT_EQ(JsonLine()
                .text("z", "1")
                .text_or_null("q", "")
                .begin("m")
                .number("n", 3)
                .texts("s", {"a", "b"})
                .end()
                .ranges("r", {{1, 2}, {3, 4}})
                .boolean("b", true)
                .line(),
            "{\"z\":\"1\",\"q\":null,\"m\":{\"n\":3,\"s\":[\"a\",\"b\"]},\"r\":[[1,2],[3,4]],\"b\":true}\n");
}

}  // namespace
}  // namespace touchstone::formats
