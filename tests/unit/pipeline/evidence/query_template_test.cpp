#include "pipeline/evidence/query_template.hpp"

#include "pipeline/evidence/header_pattern.hpp"
#include "pipeline/evidence/list_titles.hpp"
#include "pipeline/evidence/query_clashes.hpp"
#include "pipeline/evidence/section_wording.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

TEST(ListTitles, TheWordsForListsAreTakenOff) {
  const std::vector<std::string> prefixes = {"List of", "*saroksts", "*", ""};
  EXPECT_EQ(without_list_words("List of lights of Ostrand", prefixes), "lights of Ostrand");
  EXPECT_EQ(without_list_words("Upu saroksts", prefixes), "Upu");
  EXPECT_EQ(without_list_words("List office", prefixes), "");
  EXPECT_EQ(without_list_words("Lights", prefixes), "");
}

TEST(ListTitles, LettersAtTheEndOfATitleAreTakenOff) {
  for (const char* title :
       {"List of lights: A", "List of lights (A–C)", "List of lights/D", "List of lights, M", "List of lights A–C"})
    EXPECT_EQ(without_index_letters(title), "List of lights") << title;
  for (const char* title : {"Vitamin A", "Windows 7", "List of lights: Ostrand", "A", "Series 1–2"})
    EXPECT_EQ(without_index_letters(title), title);
}

TEST(WhyNoQuery, AQueryIsNoLongerThanAPersonTypes) {
  EXPECT_EQ(why_no_query("lights of Ostrand", "en"), "");
  EXPECT_NE(why_no_query("a b c d e f g h i j k l m n", "en"), "");
  EXPECT_NE(why_no_query("", "en"), "");
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

/// What a heading makes of a subject; empty if it is not certain how it narrows it.
std::string narrowed(const char* subject, const char* heading, HeadingFacts facts = {}) {
  WordedList list{subject, ""};
  return narrow_in_english(list, heading, facts) ? list.subject + list.narrowed : "";
}

TEST(SectionWording, HeadingsAreJoinedAsAPersonWould) {
  EXPECT_EQ(narrowed("lights of Ostrand", "Outer islands"), "lights of Ostrand on the outer islands");
  EXPECT_EQ(narrowed("lights", "The Outer Islands"), "lights on the Outer Islands");
  EXPECT_EQ(narrowed("composers", "19th century", {.date = true}), "composers in the 19th century");
  EXPECT_EQ(narrowed("composers", "1990s", {.date = true}), "composers in the 1990s");
  EXPECT_EQ(narrowed("composers", "1990", {.date = true}), "composers in 1990");
  EXPECT_EQ(narrowed("shrines", "Edo period", {.name_first = true}), "shrines in the Edo period");
  EXPECT_EQ(narrowed("aces", "Served with the navy"), "aces served with the navy");
  EXPECT_EQ(narrowed("lights", "On Brenna"), "lights on Brenna");
  EXPECT_EQ(narrowed("lights", "Great Ostra", {.place = true}), "lights in Great Ostra");
  EXPECT_EQ(narrowed("ferries of Ostrand", "Former"), "former ferries of Ostrand");
  EXPECT_EQ(narrowed("lights", "North"), "lights in the north");
  EXPECT_EQ(narrowed("lights", "Kanto Region"), "lights in the Kanto Region");
  EXPECT_EQ(narrowed("lights", "Saitama Prefecture"), "lights in Saitama Prefecture");
  EXPECT_EQ(narrowed("days of the Tidal Calendar", "Muharram"), "days of the Tidal Calendar in Muharram");
}

TEST(SectionWording, WhatIsNotCertainIsNotJoined) {
  EXPECT_EQ(narrowed("alumni", "Politics & government"), "");
  EXPECT_EQ(narrowed("lights", "Muharram"), "");
  EXPECT_EQ(narrowed("alumni", "Acting"), "");
}

TEST(SectionWording, AdjectivesBeforeANameAreInLowerCase) {
  EXPECT_EQ(inside_sentence("Other Notable Tolmouth Beacon"), "other notable Tolmouth Beacon");
  EXPECT_EQ(inside_sentence("Tolmouth Notable Beacon"), "Tolmouth Notable Beacon");
}

TEST(SectionWording, ANounThatTheSubjectHasIsNotRepeated) {
  EXPECT_EQ(narrowed("festivals in Ostrand", "Annual festivals", {.ends_in_subject = true}),
            "annual festivals in Ostrand");
  EXPECT_EQ(narrowed("lights", "Tolmouth lights", {.name_first = true, .ends_in_subject = true}), "Tolmouth lights");
}

TEST(SectionWording, PluralsAreToldFromOtherWordsInS) {
  for (const char* phrase : {"Lighthouses", "People", "National parks"}) EXPECT_TRUE(is_english_plural(phrase));
  for (const char* phrase : {"Brass", "Physics", "Corpus", "Ostrand", "Gas"}) EXPECT_FALSE(is_english_plural(phrase));
}

TEST(SectionWording, HeadingsThatNameThingsAreToldFromOthers) {
  for (const char* heading : {"Shrines in Ostrand", "Shrine list", "Notable festivals", "Types of food", "Tools (old)"})
    EXPECT_TRUE(names_things(heading)) << heading;
  for (const char* heading : {"Installation", "Personnel", "How to boot", "Dependence on libraries"})
    EXPECT_FALSE(names_things(heading)) << heading;
  EXPECT_TRUE(orders_by_place("By island"));
  EXPECT_FALSE(orders_by_place("By age"));
}

TEST(TellApart, NoTwoTopicsKeepOneText) {
  std::vector<Group> groups(4);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].topic = std::to_string(i);
    groups[i].page = "List of lights";
    groups[i].structured = "List of lights » " + std::to_string(i);
    groups[i].column = i == 0 ? "Former name" : "Name";
    groups[i].members.resize(i == 2 ? 9 : 3);
  }
  std::vector<const Group*> pointers;
  std::vector<TopicQuery> queries;
  for (const auto& group : groups) {
    pointers.push_back(&group);
    queries.push_back({group.topic, group.topic == "1" ? "Lights" : "lights", "", QueryVerdict::kCertain, ""});
  }
  tell_apart(pointers, queries, "en");
  EXPECT_EQ(queries[0].query, "lights former name");
  EXPECT_EQ(queries[0].verdict, QueryVerdict::kKeywords);
  EXPECT_EQ(queries[2].query, "lights") << "the topic with the most members keeps the words";
  EXPECT_EQ(queries[2].verdict, QueryVerdict::kCertain) << "the header \"Name\" tells nothing apart";
  for (const auto i : {1U, 3U}) {
    EXPECT_EQ(queries[i].verdict, QueryVerdict::kUnworded);
    EXPECT_EQ(queries[i].why, "topic 2 has the same words");
  }
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
