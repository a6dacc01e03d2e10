#include "pipeline/passages/near_duplicates/facts.hpp"

#include "pipeline/passages/near_duplicates/finder.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::passages::near_duplicates {
namespace {

std::uint64_t facts(std::string_view text, std::string_view title, std::vector<std::string_view> targets = {}) {
  WordHasher hasher;
  return digest_of_facts(text, title, targets, hasher);
}

TEST(Facts, NumbersTargetsAndWordsOfTheTitleTellStubsApart) {
  const auto here = facts("Aldmere is a village in Ostrand with 312 inhabitants.", "Aldmere", {"Ostrand"});
  EXPECT_NE(here, facts("Birkdale is a village in Ostrand with 312 inhabitants.", "Birkdale", {"Ostrand"}));
  EXPECT_NE(here, facts("Aldmere is a village in Ostrand with 313 inhabitants.", "Aldmere", {"Ostrand"}));
  EXPECT_NE(here, facts("Aldmere is a village in Ostrand with 312 inhabitants.", "Aldmere", {"Ostrand (island)"}));
  EXPECT_EQ(here, facts("With its 312 people, ALDMERE is one of the villages in Ostrand.", "Aldmere", {"Ostrand"}));
}

TEST(Facts, WhatAnyTextMayHoldIsNoFact) {
  EXPECT_EQ(facts("It was the end of the war.", "Battle of the Fords"), 0U);
  EXPECT_EQ(facts("", ""), 0U);
  EXPECT_NE(facts("The battle was the end of the war.", "Battle of the Fords"), 0U);
}

TEST(Facts, DigitsOfAnyScriptAreNumbers) {
  EXPECT_EQ(facts("гора 312", "x"), facts("mount \xD9\xA3\xD9\xA1\xD9\xA2", "y"));  // 312 in Arabic-Indic digits
  EXPECT_NE(facts("相模国 3", "相模国"), facts("武蔵国 3", "武蔵国"));
  EXPECT_EQ(facts("a\xFF 12", "x"), facts("b 12", "x")) << "bytes that are no text";
}

TEST(Facts, StubsOfOnePatternStandForThemselvesUnlessTheOverlapAloneDecides) {
  const std::string pattern = " is a village in the northern hills of the old province, known for its weekly market.";
  for (const bool keep : {true, false}) {
    NearDuplicatesOptions options;
    options.keep_facts = keep;
    Finder finder(options, std::filesystem::temp_directory_path());
    for (const std::string name : {"Aldmere", "Birkdale", "Corton"})
      finder.add(name, name + pattern, facts(name + pattern, name));
    const std::string copy = "It stands in the northern hills of the old province, known for its weekly market.";
    finder.add("one", copy, facts(copy, "Aldmere"));
    finder.add("other", copy + " Today.", facts(copy + " Today.", "Birkdale"));
    const auto groups = finder.finish(2, StopFlag());
    EXPECT_EQ(groups.representative(1), keep ? 1U : 0U);
    EXPECT_EQ(groups.representative(2), keep ? 2U : 0U);
    EXPECT_EQ(groups.representative(4), keep ? 3U : 0U) << "texts without facts of their pages are near-duplicates";
  }
}

}  // namespace
}  // namespace touchstone::pipeline::passages::near_duplicates
