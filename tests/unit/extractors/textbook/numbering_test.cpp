#include "extractors/textbook/numbering.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::extractors::textbook {
namespace {

using Number = std::vector<int>;

std::string rest_of(const std::string& heading) {
  const auto number = number_of(heading);
  return number ? heading.substr(number->text) : "(no number)";
}

TEST(Numbering, NumbersStandInFrontOfHeadings) {
  EXPECT_EQ(rest_of("8.4.5. Group List"), "Group List");
  EXPECT_EQ(rest_of("8.4 Group List"), "Group List");
  EXPECT_EQ(rest_of("F.41. spi"), "spi");
  EXPECT_EQ(rest_of("IV. The Fire Sermon"), "The Fire Sermon");
  EXPECT_EQ(rest_of("Chapter 9. System tips"), "System tips");
  EXPECT_EQ(rest_of("Κεφάλαιο 2: Δίκτυα"), "Δίκτυα");
  EXPECT_EQ(rest_of("3) “Names” of users"), "“Names” of users");
  EXPECT_EQ(number_of("8.4.5. Group")->number, (Number{8, 4, 5}));
  EXPECT_LT(number_of("12.1. Backups")->number, number_of("B.1. Backups")->number) << "appendices come last";
  EXPECT_TRUE(number_of("Part II. Tutorial")->is_roman);
}

TEST(Numbering, OtherHeadingsHaveNone) {
  for (const char* heading :
       {"7 wonders", "1984", "1984. ", "2001: 2010", "World War II", "I am a cat", "Windows 95 games", "3D. 4", "", " ",
        "1.2.3 (2020)", "The chapter 9. Ends", "1900 Olympics", "A History"}) {
    EXPECT_FALSE(number_of(heading)) << heading;
  }
}

Document with_headings(const std::vector<std::string>& headings) {
  Document document;
  document.sections.resize(1);
  for (const auto& heading : headings) document.sections.push_back({2, 0, {heading, {}}, ""});
  return document;
}

std::vector<std::string> without_numbers(const std::vector<std::string>& headings, const std::string& title = "") {
  auto document = with_headings(headings);
  remove_numbers(document, number_of(title));
  std::vector<std::string> left;
  for (std::size_t i = 1; i < document.sections.size(); ++i) left.push_back(document.sections[i].heading.text);
  return left;
}

using Headings = std::vector<std::string>;

TEST(Numbering, HeadingsLoseTheirNumbersTogether) {
  EXPECT_EQ(without_numbers({"1. Overview", "1.1. Names", "2. Users", "Notes"}),
            (Headings{"Overview", "Names", "Users", "Notes"}));
  EXPECT_EQ(without_numbers({"4.2. Apples"}, "4. Fruit"), Headings{"Apples"}) << "it goes on from the title's number";
  EXPECT_EQ(without_numbers({"4.2. Apples"}), Headings{"4.2. Apples"}) << "one alone may be anything";
  EXPECT_EQ(without_numbers({"3.2. Fixes", "3.1. Fixes", "3.0. First"}),
            (Headings{"3.2. Fixes", "3.1. Fixes", "3.0. First"}))
      << "versions descend";
  EXPECT_EQ(without_numbers({"One", "Two", "Three", "1. FC Bern", "2. FC Bern"}).back(), "2. FC Bern")
      << "most have none";
}

TEST(Numbering, InitialsOfPeopleAreNoNumbers) {
  const Headings people{"A. Einstein", "B. Russell", "K. Gödel", "L. Euler"};
  EXPECT_EQ(without_numbers(people), people);
  EXPECT_EQ(numbers_of(people), TitleNumbers::kNone);
  EXPECT_EQ(without_numbers({"A. Notes", "B. Tables"}), (Headings{"Notes", "Tables"}));
  EXPECT_EQ(number_of("XXXIX. Signs")->number, Number{39});
  EXPECT_EQ(number_of("XLVIII. Signs")->number, Number{48});
  EXPECT_FALSE(number_of("IIII. Signs"));
}

TEST(Numbering, LinksOfAHeadingMoveWithItsText) {
  auto document = with_headings({"1. Überall Licht", "2. Rot"});
  Link link;
  link.begin = 3;
  link.end = 10;
  document.sections[1].heading.links.push_back(link);
  remove_numbers(document, {});
  EXPECT_EQ(document.sections[1].heading.links[0].begin, 0U);
  EXPECT_EQ(document.sections[1].heading.links[0].end, 7U);
}

}  // namespace
}  // namespace touchstone::extractors::textbook
