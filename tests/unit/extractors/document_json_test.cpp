#include "extractors/document_json.hpp"

#include "common/json_tree.hpp"
#include "tests/unit/extractors/wikitext/wikitext_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace touchstone::extractors::testing {
using wikitext::testing::english;
using wikitext::testing::parse;
namespace {

nlohmann::ordered_json json_of(std::string_view wikitext) {
  return parse_json(document_to_json(parse(wikitext), english(), "case"));
}

TEST(DocumentJson, LinksCarryTargetFragmentAndAnchorText) {
  const auto json = json_of("é [[Foo#bar|baz]]");
  ASSERT_EQ(json["links"].size(), 1U);
  EXPECT_EQ(json["links"][0]["target"], "Foo");
  EXPECT_EQ(json["links"][0]["fragment"], "bar");
  EXPECT_EQ(json["links"][0]["text"], "baz");
  EXPECT_EQ(json["name"], "case");
}

TEST(DocumentJson, RowsHoldWrittenCellsAndTheGridAllPositions) {
  const auto json = json_of("{|\n|colspan=2|a\n|-\n|b\n|}");
  EXPECT_EQ(json["tables"][0]["rows"][0].size(), 1U);
  EXPECT_EQ(json["tables"][0]["grid"][0].size(), 2U);
  EXPECT_EQ(json["tables"][0]["grid"][1].size(), 1U);
}

TEST(DocumentJson, WhatIsUnknownOrLeftOutIsNamed) {
  const auto unknown = json_of("{{#expr:{{x}}+1}} {{NUMBEROFPAGES}}")["unknown"];
  EXPECT_EQ(unknown.size(), 2U);
  EXPECT_EQ(unknown["dropped template"], 1);
  EXPECT_EQ(unknown["count"], 1);
  auto document = parse("a");
  document.counters.limits_hit = 2;
  document.counters.cells_left_out = 3;
  document.call_errors["Division by zero."] = 1;
  const auto json = parse_json(document_to_json(document, english(), ""));
  EXPECT_EQ(json["limits_hit"], 2);
  EXPECT_EQ(json["cells_left_out"], 3);
  EXPECT_EQ(json["errors"]["Division by zero."], 1);
  for (const char* key : {"unknown", "limits_hit", "cells_left_out", "errors"})
    EXPECT_FALSE(json_of("a").contains(key));
}

TEST(DocumentJson, AListItemHoldsTheItemsBelowIt) {
  const auto json = json_of("* a\n** b\n* c");
  ASSERT_EQ(json["lists"].size(), 3U);
  EXPECT_EQ(json["lists"][0]["text"], "a b");
  EXPECT_EQ(json["lists"][1]["depth"], 2);
}

TEST(DocumentJson, ATermDoesNotHoldTheDefinitionsBelowIt) {
  const auto json = json_of("; a\n:* b\n== c ==\n:* d");
  ASSERT_EQ(json["lists"].size(), 5U);
  EXPECT_EQ(json["lists"][0]["text"], "a");
  EXPECT_EQ(json["lists"][1]["text"], "b");
}

TEST(DocumentJson, ItemsWithoutTextAreItems) {
  const auto json = json_of("**\n* a\n:{|\n| b\n|}\n<gallery>\nFile:c|d\n</gallery>");
  std::vector<std::string> texts;
  for (const auto& item : json["lists"]) texts.push_back(item["text"]);
  EXPECT_EQ(texts, (std::vector<std::string>{"", "", "a", "", "d"}));
}

TEST(DocumentJson, ParagraphsAreThoseOfTheElements) {
  EXPECT_EQ(json_of("a\n\n<div>b</div>\n<blockquote>c</blockquote>\n{|\nd\n| e\n|}\n* f")["paragraphs"],
            (nlohmann::ordered_json{"a", "c"}));
}

TEST(DocumentJson, LinksThatNobodySeesAreLeftOut) {
  EXPECT_TRUE(json_of("[[File:a.jpg|see [[hidden]]]]")["links"].empty());
}

TEST(DocumentJson, ImagesHaveTheirCaptionAndPlace) {
  const auto json = json_of("a\n== h ==\n[[File:b.jpg|thumb|See [[C]]]]\n{|\n| d\n|}");
  EXPECT_EQ(json["images"],
            (nlohmann::ordered_json{
                {{"file", "B.jpg"}, {"caption", "See C"}, {"links", {"C"}}, {"section", 0}, {"block", 1}}}));
  EXPECT_EQ(json["tables"][0]["block"], 1);
  EXPECT_EQ(json_of("a")["images"], nlohmann::ordered_json::array());
}

TEST(DocumentJson, TextHasALineForEachPart) {
  EXPECT_EQ(json_of("a\n== b ==\n* c")["text"], "a\nb\nc\n");
}

}  // namespace
}  // namespace touchstone::extractors::testing
