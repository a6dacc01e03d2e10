#include "pipeline/evidence/query_template.hpp"

#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/query_wording.hpp"
#include "pipeline/evidence/section_wording.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

std::string names_in(const char* language, const char* title) {
  const auto wording = list_wording(language, title);
  if (!wording) return "";
  const auto subject = list_subject(*wording, title);
  const std::string names(wording->names), joint(wording->joint);
  return wording->list.starts_with('*') ? subject + joint + names : names + joint + subject;
}

TEST(QueryWording, TitlesBecomePhrasesInTheirLanguage) {
  EXPECT_EQ(names_in("en", "List of lights of Ostrand"), "names of lights of Ostrand");
  EXPECT_EQ(names_in("simple", "Lists of lights"), "names of lights");
  EXPECT_EQ(names_in("de", "Liste der Leuchttürme"), "Namen der Leuchttürme");
  EXPECT_EQ(names_in("fr", "Liste d'îles"), "noms d'îles");
  EXPECT_EQ(names_in("ja", "灯台の一覧"), "灯台の名前");
  EXPECT_EQ(names_in("ru", "Список маяков"), "названия маяков");
  EXPECT_EQ(names_in("xx", "List of lights"), "");
  EXPECT_EQ(names_in("en", "Lights"), "");
}

TEST(HeaderPattern, WordsMatchWholeWords) {
  HeaderPattern names(default_header("en"));
  EXPECT_TRUE(names.found_in("Monument name"));
  EXPECT_TRUE(names.found_in("NAMES"));
  EXPECT_FALSE(names.found_in("Tournament"));
  EXPECT_FALSE(names.found_in("Renamed"));
  EXPECT_TRUE(HeaderPattern(".").found_in("Country")) << "an expression with signs is taken as it is";
  EXPECT_TRUE(HeaderPattern(default_header("ja")).found_in("作品名称"));
}

std::string narrowed(const char* subject, const char* heading, HeadingFacts facts = {}) {
  WordedList list{subject, ""};
  narrow_in_english(list, heading, facts);
  return "names of " + list.subject + list.narrowed;
}

TEST(SectionWording, HeadingsAreJoinedAsAPersonWould) {
  EXPECT_EQ(narrowed("lights of Ostrand", "Outer islands"), "names of lights of Ostrand on the outer islands");
  EXPECT_EQ(narrowed("lights", "The Outer Islands"), "names of lights on the Outer Islands");
  EXPECT_EQ(narrowed("composers", "19th century", {.date = true}), "names of composers in the 19th century");
  EXPECT_EQ(narrowed("composers", "1990s", {.date = true}), "names of composers in the 1990s");
  EXPECT_EQ(narrowed("composers", "1990", {.date = true}), "names of composers in 1990");
  EXPECT_EQ(narrowed("shrines", "Edo period", {.name_first = true}), "names of shrines in the Edo period");
  EXPECT_EQ(narrowed("aces", "Served with the navy"), "names of aces served with the navy");
  EXPECT_EQ(narrowed("lights", "On Brenna"), "names of lights on Brenna");
  EXPECT_EQ(narrowed("alumni", "Politics & government"), "names of alumni, politics and government");
  EXPECT_EQ(narrowed("alumni", "Acting", {.article = true}), "names of alumni in Acting");
  EXPECT_EQ(narrowed("ferries of Ostrand", "Former"), "names of former ferries of Ostrand");
  EXPECT_EQ(narrowed("lights", "North"), "names of lights in the north");
}

TEST(SectionWording, PlacesAreJoinedWithoutAComma) {
  EXPECT_EQ(narrowed("lights", "Kanto Region"), "names of lights in the Kanto Region");
  EXPECT_EQ(narrowed("lights", "Saitama Prefecture"), "names of lights in Saitama Prefecture");
}

TEST(SectionWording, MonthsAndOtherTimesFollowDaysAndEvents) {
  EXPECT_EQ(narrowed("days of the Tidal Calendar", "Muharram"), "names of days of the Tidal Calendar in Muharram");
  EXPECT_EQ(narrowed("events in Ostrand", "First Neap"), "names of events in Ostrand in First Neap");
  EXPECT_EQ(narrowed("events in Ostrand", "Boat races"), "names of events in Ostrand, boat races");
  EXPECT_EQ(narrowed("events in Ostrand", "North"), "names of events in Ostrand in the north");
  EXPECT_EQ(narrowed("lights", "Muharram"), "names of lights, Muharram");
}

TEST(SectionWording, AdjectivesBeforeANameAreInLowerCase) {
  EXPECT_EQ(inside_sentence("Other Notable Tolmouth Beacon"), "other notable Tolmouth Beacon");
  EXPECT_EQ(inside_sentence("Tolmouth Notable Beacon"), "Tolmouth Notable Beacon");
}

TEST(QueryWording, PagesThatAreNoListsAreWordedInTheirLanguage) {
  ASSERT_TRUE(page_wording("ltg"));
  EXPECT_EQ(page_wording("ltg")->names, "nūsaukumi");
  EXPECT_EQ(page_wording("ltg")->joint, ": ");
  EXPECT_EQ(page_wording("ja")->joint, "の");
  EXPECT_FALSE(page_wording("xx"));
}

TEST(SectionWording, ANounThatTheSubjectHasIsNotRepeated) {
  EXPECT_EQ(narrowed("festivals in Ostrand", "Annual festivals", {.ends_in_subject = true}),
            "names of annual festivals in Ostrand");
  EXPECT_EQ(narrowed("lights", "Tolmouth lights", {.name_first = true, .ends_in_subject = true}),
            "names of Tolmouth lights");
}

TEST(SectionWording, PluralsAreToldFromOtherWordsInS) {
  for (const char* phrase : {"Lighthouses", "People", "National parks"}) EXPECT_TRUE(is_english_plural(phrase));
  for (const char* phrase : {"Brass", "Physics", "Corpus", "Ostrand", "Gas"}) EXPECT_FALSE(is_english_plural(phrase));
}

TEST(TellApart, NoTwoTopicsKeepOneText) {
  std::vector<Group> groups(4);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].topic = std::to_string(i);
    groups[i].page = "List of lights";
    groups[i].column = i == 0 ? "Former name" : "Name";
  }
  std::vector<const Group*> pointers;
  std::vector<TopicQuery> queries;
  for (const auto& group : groups) {
    pointers.push_back(&group);
    queries.push_back({group.topic, group.topic == "1" ? "Names of lights" : "names of lights", ""});
  }
  tell_apart(pointers, queries);
  std::set<std::string> texts;
  for (const auto& query : queries) EXPECT_TRUE(texts.insert(query.query).second) << query.query;
  EXPECT_EQ(queries[0].query, "names of lights (Former name)");
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
