#include "collection/evidence/mentions.hpp"
#include "collection/health/markup.hpp"
#include "collection/health/repeats.hpp"
#include "collection/health/topic_overlap.hpp"
#include "collection/health/words.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::collection::health {
namespace {

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  split_words(text, words);
  return words;
}

TEST(HealthWords, AreLettersDigitsAndSingleIdeographs) {
  EXPECT_EQ(words_of("It's 12 \xE2\x80\x93 na\xC3\xAFve, (x)").size(), 5U);
  EXPECT_EQ(words_of("\xE7\xA5\x9E\xE7\xA4\xBE\xE3\x80\x82\xE6\x9D\xB1").size(), 3U);
  EXPECT_EQ(text::count_words("\xE7\xA5\x9E\xE7\xA4\xBE\xE3\x80\x82\xE6\x9D\xB1 two words"), 4U);
  EXPECT_TRUE(words_of("").empty());
  EXPECT_TRUE(words_of(" .,;\xFF\xFE").empty());
}

TEST(LeftoverMarkup, IsFoundWhereReadersOfTheWikiSeeNone) {
  for (const char* text : {"a {{cite",
                           "a }} b",
                           "[[File",
                           "x]]",
                           "{| class",
                           "|- b",
                           "a style=\"x\"",
                           "two&nbsp;blanks",
                           "[[a]] and [[b",
                           "[[a [[b]] c",
                           "[[]]",
                           "[[a}}]]",
                           "a <ref name=x> b",
                           "a <br/>",
                           "[[Datei:A b.jpg|mini|Text]]",
                           "[[|]]",
                           "[[Category:A|]]",
                           "[[ファイル:A.png|thumb|left]] b",
                           "</DIV>",
                           "<translate>x",
                           "x __NOTOC__",
                           "&#160;",
                           "'''b'''",
                           "in the 1=Engishiki|2=ja|3=延喜式|4=zh",
                           "the 【ill|Tomo-zo|ja|伴造】",
                           "a|300px|Gate",
                           "Gate.jpg|The gate",
                           "JapanTemplate:SHORTDESC: A country",
                           "#seo: |title=A",
                           "Lua error in Module:A at line 1",
                           "Expression error: Unrecognised word",
                           "| A | B | | --- | --- |"}) {
    EXPECT_TRUE(leftover_markup(text)) << text;
  }
}

TEST(LeftoverMarkup, IsNotSeenInPlainText) {
  for (const char* text : {"",
                           "a < b and c > d",
                           "vector<int> of (a|b)",
                           "freestyle=no",
                           "AT&T",
                           "snake__case__name",
                           "O''Neil",
                           "[1]",
                           "f{x}",
                           "write [[Mere Bridge]] to link",
                           "[[a|b]] and [[c]]",
                           "[[help:a|b. c]]",
                           "<unknown> & <3",
                           "\xFF<\xFE",
                           "<b",
                           "#channel: talk",
                           "a|de|b",
                           "cat x.png|/y|0",
                           "a || b",
                           "x=1|y=2",
                           "issue #12: time"}) {
    EXPECT_FALSE(leftover_markup(text)) << text;
  }
}

/// What a counter finds in texts, each with its name.
Repeats repeats_in(const std::vector<std::pair<std::string, std::string>>& texts) {
  RepeatCounter counter;
  for (const auto& [name, text] : texts) counter.add(name, text, words_of(text));
  return counter.finish();
}

TEST(RepeatCounter, TellsEqualNearAndDifferentTexts) {
  using Sample = std::pair<std::string, std::string>;
  std::string text, other;
  for (int i = 0; i < 60; ++i) {
    text += "word" + std::to_string(i) + " ";
    other += "term" + std::to_string(i * 7) + " ";
  }
  const auto different = repeats_in({{"a", text}, {"b", other}, {"e", text + other}});  // half of the pairs
  EXPECT_EQ(different.texts, 3U);
  EXPECT_EQ(different.exact + different.near, 0U);
  EXPECT_EQ(different.exact_sample, Sample());
  EXPECT_EQ(different.near_sample, Sample());
  const std::string same = "WORD0, " + text.substr(6);
  const auto repeats =
      repeats_in({{"a", text}, {"b", other}, {"c", same}, {"d", text + "and more"}, {"f", same}, {"g", text + "more"}});
  EXPECT_EQ(repeats.exact, 2U);
  EXPECT_EQ(repeats.exact_sample, Sample("c", "a"));
  EXPECT_EQ(repeats.near, 2U);
  EXPECT_EQ(repeats.near_sample, Sample("d", "a"));
}

TEST(RepeatCounter, TakesTextsWithoutWords) {
  const auto repeats = repeats_in({{"x", ""}, {"x", "..."}, {"x", ""}, {"x", "one"}});
  EXPECT_EQ(repeats.exact, 1U);
  EXPECT_EQ(repeats.near, 0U);
}

TEST(RepeatCounter, ComparesLaterTextsForEqualWordsOnly) {
  RepeatCounter counter;
  const auto add = [&](const std::string& text) { counter.add("name of " + text, text, words_of(text)); };
  for (std::size_t i = 0; i < kMaxSketchedTexts; ++i) add("w" + std::to_string(i));
  for (const char* text : {"one of the later texts", "one of the later texts", "one of the later texts", "w7"})
    add(text);
  const auto repeats = counter.finish();
  EXPECT_EQ(repeats.exact, 3U);
  EXPECT_EQ(repeats.exact_sample, (std::pair<std::string, std::string>("name of w7", "name of w7")));
  EXPECT_EQ(repeats.near, 0U);
}

std::vector<std::uint64_t> found(const evidence::internal::MentionFinder& finder, std::string_view text) {
  return finder.find(text, words_of(text));
}

TEST(MentionFinder, FindsTitlesAsWholeWordsWithTheirCase) {
  evidence::internal::MentionFinder finder;
  finder.add_member(1, "Old Tolmouth Light");
  finder.add_member(2, "Old Tolmouth");
  finder.add_member(3, "Karst (village)");
  EXPECT_EQ(found(finder, "The Old Tolmouth Light is old."), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(found(finder, "In Karst, karst; Karstland."), (std::vector<std::uint64_t>{3}));
  EXPECT_TRUE(found(finder, "old tolmouth light, Old-Tolmouth").empty());
  EXPECT_TRUE(found(finder, "").empty());
}

TEST(MentionFinder, LeavesOutNamesThatSayLittle) {
  evidence::internal::MentionFinder finder;
  finder.add_member(1, "Art");
  finder.add_member(2, "1984");
  finder.add_member(3, "Springfield (Ohio)");
  finder.add_member(4, "Springfield (Iowa)");
  finder.add_member(5, "(x)");
  finder.add_member(6, "");
  EXPECT_TRUE(found(finder, "Art of 1984 in Springfield").empty());
}

TopicOverlap overlap_of(const std::vector<std::vector<std::uint64_t>>& topics, std::size_t memory_bytes = 1 << 20) {
  OverlapFinder finder(::testing::TempDir(), memory_bytes);
  for (const auto& topic : topics) finder.add(topic);
  return finder.find();
}

TEST(TopicOverlap, CountsTopicsLikeAnEarlierOne) {
  EXPECT_EQ(overlap_of({}).topics, 0U);
  EXPECT_EQ(overlap_of({{}, {}}).topics, 0U);
  EXPECT_EQ(overlap_of({{1, 2, 3, 4, 5}, {1, 2, 3, 4}}).topics, 1U);  // 4 of 5
  EXPECT_EQ(overlap_of({{1, 2, 3, 4}, {1, 2, 3}}).topics, 0U);        // 3 of 4
  const auto overlap = overlap_of({{9}, {1, 2, 3}, {1, 2, 3}, {7, 8}, {1, 2, 3}});
  EXPECT_EQ(overlap.topics, 2U);
  EXPECT_EQ(overlap.sample, (std::pair<std::uint64_t, std::uint64_t>(2, 1)));
}

/// Compares each topic with all earlier ones.
std::uint64_t topics_like_an_earlier_one(const std::vector<std::vector<std::uint64_t>>& topics) {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < topics.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::vector<std::uint64_t> shared;
      std::set_intersection(topics[i].begin(), topics[i].end(), topics[j].begin(), topics[j].end(),
                            std::back_inserter(shared));
      const auto all = topics[i].size() + topics[j].size() - shared.size();
      if (shared.empty() || 10 * shared.size() < 8 * all) continue;
      ++found;
      break;
    }
  }
  return found;
}

TEST(TopicOverlap, IsThatOfAllPairsInAnyMemory) {
  std::mt19937 random(7);
  std::vector<std::vector<std::uint64_t>> topics;
  for (int i = 0; i < 300; ++i) {
    std::set<std::uint64_t> members;
    if (i % 3 != 0) members.insert(topics.back().begin(), topics.back().end());  // a copy, but for few members
    if (!members.empty() && i % 2 == 0) members.erase(members.begin());
    const auto more = i % 3 == 0 ? random() % 30 : random() % 4;
    for (std::size_t n = 0; n < more; ++n) members.insert(random() % 2000);
    topics.emplace_back(members.begin(), members.end());
  }
  const auto expected = topics_like_an_earlier_one(topics);
  EXPECT_GT(expected, 50U);
  EXPECT_LT(expected, 250U);
  for (const std::size_t memory : {100, 5000, 1 << 20}) EXPECT_EQ(overlap_of(topics, memory).topics, expected);
}

}  // namespace
}  // namespace touchstone::collection::health
