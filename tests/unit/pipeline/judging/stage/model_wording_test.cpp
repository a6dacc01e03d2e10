#include "pipeline/judging/stage/model_wording.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging::stage {
namespace {

evidence::Group group_of(const std::string& page, const std::vector<std::string>& headings,
                         const std::vector<std::string>& members) {
  evidence::Group group;
  group.page = page;
  group.section_path = headings;
  group.column = "Name";
  group.structured = page;
  for (const auto& heading : headings) group.structured += " » " + heading;
  group.structured += " » Name";
  for (const auto& member : members) group.members.push_back({PageId{1}, member, ""});
  return group;
}

std::string why_not(const std::string& query, const char* language = "en") {
  return ModelWording(language).why_not(
      group_of("List of lighthouses of Ostrand", {"Outer islands"}, {"Old Light (Brenna)", "Skerry Beacon"}), query);
}

TEST(ModelWording, AParaphraseThatAsksForTheListIsTaken) {
  for (const char* query : {"lighthouses of Ostrand on the outer islands", "Ostrandic lighthouses on its outer islands",
                            "which lighthouses stand on the outer islands of Ostrand"})
    EXPECT_EQ(why_not(query), "") << query;
}

TEST(ModelWording, WhatIsNoQueryIsRefused) {
  for (const char* query :
       {"Here is your query: lighthouses of Ostrand on the outer islands", "\"lighthouses of Ostrand, outer islands\"",
        "Query: lighthouses of Ostrand outer islands", "lighthouses of Ostrand on the outer islands.\nThey are listed",
        "What are the lighthouses of Ostrand on the outer islands?", "lighthouses of Ostrand » Outer islands",
        "all of the many lighthouses that have ever stood on any of the outer islands of Ostrand"})
    EXPECT_NE(why_not(query), "") << query;
}

TEST(ModelWording, AnotherLanguageIsRefused) {
  EXPECT_EQ(why_not("Leuchttürme von Ostrand auf den outer islands"), "it is not in the wiki's language");
  EXPECT_EQ(why_not("灯台 オストランド 島々の灯台"), "it is not in the wiki's language");
  const auto castles = group_of("Liste der Burgen in Hessen", {}, {"Burg Falkenau"});
  EXPECT_EQ(ModelWording("de").why_not(castles, "castles in Hessen of the Burgen"), "it is not in the wiki's language");
  EXPECT_EQ(ModelWording("de").why_not(castles, "Burgen in Hessen"), "");
}

TEST(ModelWording, MembersAreNotNamed) {
  EXPECT_EQ(why_not("lighthouses of Ostrand on the outer islands, old light"),
            "it names the member \"Old Light (Brenna)\"");
  EXPECT_EQ(ModelWording("ja").why_not(group_of("海山県の城の一覧", {}, {"青葉城"}), "海山県の城 青葉城"),
            "it names the member \"青葉城\"");
}

TEST(ModelWording, AnotherListIsRefused) {
  EXPECT_EQ(why_not("ferries of Brenna"), "it has too few words of the list's title");
  EXPECT_EQ(why_not("lighthouses of Ostrand"), "it leaves out the heading \"Outer islands\"");
  EXPECT_EQ(why_not("how tall are the lighthouses of Ostrand on the outer islands"),
            "it asks for something else than the list has");
  EXPECT_EQ(why_not("10 lighthouses of Ostrand on the outer islands"),
            "it says more than the list's title and headings");
  EXPECT_EQ(why_not("famous haunted abandoned granite lighthouses of Ostrand outer islands"),
            "it says more than the list's title and headings");
}

}  // namespace
}  // namespace touchstone::pipeline::judging::stage
