#include "formats/car/ids.hpp"

#include "tests/support/car_ids.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace touchstone::formats::car {
namespace {

TEST(CarIds, OnlyWhatMayNotStandInAUriIsEscaped) {
  EXPECT_EQ(page_id("enwiki", "Green sea turtle"), "enwiki:Green%20sea%20turtle");
  EXPECT_EQ(page_id("enwiki", "Café \"1\" <a>\\^`{|}\t"), "enwiki:Caf%C3%A9%20%221%22%20%3Ca%3E%5C%5E%60%7B%7C%7D%09");
  EXPECT_EQ(page_id("enwiki", "-_.~:/?#[]@!$&'()*+,;=%"), "enwiki:-_.~:/?#[]@!$&'()*+,;=%");
  EXPECT_EQ(page_id("", "Spent nuclear fuel"), "Spent%20nuclear%20fuel");
  EXPECT_EQ(page_id("x", std::string("a\0b\x7f", 4)), "x:a%00b%7F");
}

TEST(CarIds, SlashAndPercentSignStayRawAndSoIdsMayBeTheSame) {
  EXPECT_EQ(page_id("w", "AC/DC"), "w:AC/DC");
  EXPECT_EQ(page_id("w", "A B"), page_id("w", "A%20B"));
  EXPECT_EQ(heading_id("100 %"), "100%20%");
  EXPECT_EQ(heading_id(""), "");
}

TEST(CarIds, ASectionIsNamedByItsPath) {
  const std::vector<std::string> headings = {heading_id("Life cycle"), heading_id("Diet")};
  EXPECT_EQ(section_path_id("enwiki:Turtle", headings), "enwiki:Turtle/Life%20cycle/Diet");
  EXPECT_EQ(section_path_id("enwiki:Turtle", {}), "enwiki:Turtle");
}

TEST(CarIds, AParagraphHasTheSha1OfItsTextsAndAnchors) {
  EXPECT_EQ(paragraph_id({}), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  const std::vector<ParagraphBody> text = {std::string("abc")};
  EXPECT_EQ(paragraph_id(text), "a9993e364706816aba3e25717850c26c9cd0d89d");
  const std::vector<ParagraphBody> pieces = {std::string("a"), Link{"Page", "w:Page", "Part", "b", "Q1"},
                                             std::string("c")};
  EXPECT_EQ(paragraph_id(pieces), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(paragraph_text({"", pieces}), "abc");
}

TEST(CarIds, UnambiguousIdsEscapeSlashPercentQuotesAndBlanks) {
  EXPECT_EQ(unambiguous_id({"enwiki", "AC/DC", {"Early \"years\"", "100%"}}),
            "enwiki:AC%2FDC/Early%20%22years%22/100%25");
  EXPECT_EQ(unambiguous_id({"enwiki", "Talk:X", {"a:b"}}), "enwiki:Talk:X/a%3Ab");
  EXPECT_EQ(unambiguous_id({"", "Talk:X", {}}), "Talk%3AX");
  EXPECT_EQ(unambiguous_id({"w", "T", {""}}), "w:T/");
  EXPECT_NE(unambiguous_id({"w", "A B", {}}), unambiguous_id({"w", "A%20B", {}}));
  EXPECT_NE(unambiguous_id({"w", "A/B", {}}), unambiguous_id({"w", "A", {"B"}}));
}

TEST(CarIds, IdsThatNoNameHasAreNotParsed) {
  for (const char* id : {"w:a b", "w:a%2", "w:a%zz", "w:a%41", "w:a%2f", "w:\"", ":a", "w w:a", "w:a/b/c d"})
    EXPECT_FALSE(testing::parse_unambiguous_id(id).has_value()) << id;
}

TEST(CarIds, EveryNameComesBackFromItsUnambiguousIdAndNoTwoShareOne) {
  std::mt19937 random(3);
  const std::vector<std::string> pieces = {"a", "B", "/",  "%",  "%20", ":", " ", "\"",
                                           "'", "é", "語", "\t", "-",   "~", ""};
  const auto text = [&] {
    std::string out;
    for (auto left = random() % 5; left > 0; --left) out += pieces[random() % pieces.size()];
    return out;
  };
  std::set<std::string> ids;
  std::set<std::string> names;
  for (int round = 0; round < 5000; ++round) {
    SectionName name{random() % 2 == 0 ? "enwiki" : "", text(), {}};
    for (auto left = random() % 3; left > 0; --left) name.headings.push_back(text());
    const auto id = unambiguous_id(name);
    EXPECT_EQ(id.find_first_of(" \t\n\r\"'"), std::string::npos) << id;
    ASSERT_EQ(testing::parse_unambiguous_id(id), name) << id;
    ids.insert(id);
    std::string whole = name.site + '\0' + name.title;
    for (const auto& heading : name.headings) whole += '\0' + heading;
    names.insert(whole);
  }
  EXPECT_EQ(ids.size(), names.size());
}

}  // namespace
}  // namespace touchstone::formats::car
