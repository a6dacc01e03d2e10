#include "pipeline/evidence/heading_subject.hpp"

#include "pipeline/evidence/subject_noun.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence {
namespace {

std::string worded(const char* heading, const char* title = "Amber Hall", bool about_title = true) {
  return subject_of_page(heading_subject(heading), title, about_title);
}

TEST(HeadingSubject, HeadingsBecomeWhatTheyList) {
  EXPECT_EQ(worded("List of Deities"), "deities of Amber Hall");
  EXPECT_EQ(worded("List of the lights"), "lights of Amber Hall");
  EXPECT_EQ(worded("List of examples of brick kilns"), "examples of brick kilns, Amber Hall");
  EXPECT_EQ(worded("List of examples of brick kilns", "Brick kiln", false), "examples of brick kilns");
  EXPECT_EQ(worded("Tomb List"), "tombs of Amber Hall");
  EXPECT_EQ(worded("Deity"), "deities of Amber Hall");
  EXPECT_EQ(worded("Enshrined God"), "enshrined gods of Amber Hall");
  EXPECT_EQ(worded("Deities Enshrined"), "enshrined deities of Amber Hall");
  EXPECT_EQ(worded("Staff"), "staff of Amber Hall");
  EXPECT_EQ(worded("Major Kofun"), "major Kofun of Amber Hall");
}

TEST(HeadingSubject, TheTitleStandsBeforeAPlaceAndInPlaceOfAPronoun) {
  EXPECT_EQ(worded("Tombs in Ostrand"), "tombs of Amber Hall in Ostrand");
  EXPECT_EQ(worded("Shrines Worshiping This Deity", "Orrin"), "shrines worshiping Orrin");
  EXPECT_EQ(worded("Shrines That Enshrine Them", "Orrin and Tarn"), "shrines that enshrine Orrin and Tarn");
  EXPECT_EQ(worded("Shrines Dedicated to Orrin", "Orrin", false), "shrines dedicated to Orrin");
}

TEST(HeadingSubject, WhatATextTellsOfMembersIsNotWhatItLists) {
  EXPECT_EQ(worded("Distribution and Notable Brick Kilns"), "notable Brick Kilns of Amber Hall");
  EXPECT_EQ(worded("Comparison of the Six Lights"), "six lights of Amber Hall");
  EXPECT_EQ(worded("Overview of tides"), "tides of Amber Hall");
  EXPECT_EQ(worded("History of the Navy"), "history of the Navy, Amber Hall");
}

TEST(HeadingSubject, OnlySomeHeadingsNameMembers) {
  for (const char* heading :
       {"Lights", "List of staff", "Shrine lists", "Shrines in Ostrand", "Years in which it rose"})
    EXPECT_TRUE(names_members(heading)) << heading;
  for (const char* heading : {"Staff", "Main hall", "Notable Kofun", "Kanto Region", "List", ""})
    EXPECT_FALSE(names_members(heading)) << heading;
  EXPECT_TRUE(chooses_members("Notable Kofun"));
  EXPECT_FALSE(chooses_members("Notable"));
  EXPECT_FALSE(chooses_members(""));
}

TEST(SubjectNoun, TheNounStandsBeforeTheFirstPreposition) {
  corpus::TermSplitter german("german"), french("french"), none("");
  const auto stem = [](corpus::TermSplitter& splitter, const char* word) { return splitter.split(word).at(0).stem; };
  EXPECT_EQ(subject_noun(german, "de", "Leuchttürme in Ostrand"), stem(german, "Leuchttürme"));
  EXPECT_EQ(subject_noun(german, "de", "Leuchttürme auf Inseln der Nordsee"), stem(german, "Leuchttürme"));
  EXPECT_EQ(subject_noun(german, "de-formal", "alten Leuchttürme bei Tolmouth"), stem(german, "Leuchttürme"));
  EXPECT_EQ(subject_noun(french, "fr", "phares de la côte"), stem(french, "phares"));
  EXPECT_EQ(subject_noun(none, "ltg", "Latgolys upu"), "upu");
  EXPECT_EQ(subject_noun(none, "xx", ""), "");
}

TEST(SubjectNoun, FormsOfOneNounAreOneWithoutAStemmer) {
  EXPECT_TRUE(is_same_noun("upu", "upe", false));
  EXPECT_FALSE(is_same_noun("upu", "upe", true));
  EXPECT_FALSE(is_same_noun("upu", "ezari", false));
  EXPECT_FALSE(is_same_noun("", "", true));
}

}  // namespace
}  // namespace touchstone::pipeline::evidence
