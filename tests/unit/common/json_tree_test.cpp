#include "common/json_tree.hpp"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonTree, ReadsWhatTheLibraryReads) {
  for (const char* text : {"null", "true", "-3", "18446744073709551615", "0.1", "\"\\u00e9\\n\"", "[]", "{}",
                           R"([1,[2,{"a":[]}],"x"])", R"({"b":1,"a":{"c":[null,false]},"d":""})", " [1 , 2 ] "}) {
    const auto tree = parse_json_or_discard(text);
    EXPECT_EQ(tree, Json::parse(text)) << text;
  }
  EXPECT_EQ(json_text(parse_json(R"({"b":1,"a":[2.5]})")), R"({"b":1,"a":[2.5]})") << "names keep their order";
}

TEST(JsonTree, WhatIsNotOneValueIsRefusedWithTheLibrarysWords) {
  for (const char* text : {"", "{", "[1,]", "1 2", "{\"a\" 1}", "\"\x80\"", "nul", "[1e999"}) {
    EXPECT_TRUE(parse_json_or_discard(text).is_discarded()) << text;
    std::string expected, found;
    try {
      static_cast<void>(Json::parse(text));
    } catch (const Json::exception& error) {
      expected = error.what();
    }
    try {
      parse_json(text);
    } catch (const Json::exception& error) {
      found = error.what();
    }
    EXPECT_EQ(found, expected) << text;
  }
}

TEST(JsonTree, TheLaterOfTwoEqualNamesCounts) {
  for (const int names : {1, 31, 32, 33, 100}) {
    std::string text = "{";
    for (int i = 0; i < names; ++i) text += fmt::format("\"n{}\":{},", i, i);
    for (int i = 0; i < names; ++i) text += fmt::format("\"n{}\":{}{}", i, i + 1, i + 1 < names ? "," : "}");
    const auto tree = parse_json(text);
    EXPECT_EQ(tree, Json::parse(text)) << names;
    EXPECT_EQ(tree.size(), static_cast<std::size_t>(names));
  }
}

TEST(JsonTree, NestingIsBounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_FALSE(parse_json_or_discard(nested(kMaxJsonDepth)).is_discarded());
  EXPECT_TRUE(parse_json_or_discard(nested(kMaxJsonDepth + 1)).is_discarded());
  EXPECT_TRUE(parse_json_or_discard(std::string(1'000'000, '[')).is_discarded());
  EXPECT_THROW(parse_json(nested(kMaxJsonDepth + 1)), Json::exception);
}

TEST(JsonTree, ManyNamesAreReadInLinearTime) {
  std::string text = "{";
  for (int i = 0; i < 300'000; ++i) text += fmt::format("\"n{}\":0,", i);
  text += "\"last\":1}";
  EXPECT_EQ(parse_json(text).size(), 300'001U);  // quadratic reading takes minutes
}

}  // namespace
}  // namespace touchstone
