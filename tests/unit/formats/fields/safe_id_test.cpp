#include "formats/fields/one_line.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::fields {
namespace {

TEST(SafeId, SafeIdsAreAsciiWordsThatStartWithALetterOrDigit) {
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

}  // namespace
}  // namespace touchstone::formats::fields
