#include "analysis/studies/positions/word_numbers.hpp"
#include "tests/unit/analysis/sample_files.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::studies::positions {
namespace {

using analysis::testing::message_of;

// Ten words of one letter: word i is character 2 i.
const Texts kTexts = {{"D_0", "a b c d e f g h i j"}, {"D_1", "a b c d"}};

Judgment judgment(int grade, std::vector<CharacterRange> ranges, std::optional<bool> rotated = {},
                  const std::string& docid = "D_0") {
  return {"q", docid, grade, std::move(ranges), rotated, 2};
}

TEST(WordsOf, CountsUtf16UnitsAndAnyWhiteSpace) {
  const auto words = words_of("\xF0\x9F\x98\x80x  \xC3\xA4\xC2\xA0z");  // an emoji has two units
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[0].last, 2U);
  EXPECT_EQ(words[1].first, 5U);
  EXPECT_EQ(words[2].first, 7U);
}

TEST(SelectedWords, AreThoseWithACharacterInARange) {
  const auto words = words_of("aa bb cc dd");
  EXPECT_EQ(selected_words(words, {{1, 3}, {9, 9}}), (std::vector<bool>{true, true, false, true}));
  EXPECT_EQ(selected_words(words, {{2, 2}}), (std::vector<bool>(4)));
}

TEST(WordPlaces, RotatedSnippetsCountByTheTextAndByWhatWasShown) {
  const auto numbers = count_words_by_place(
      {judgment(2, {{0, 2}}, false), judgment(3, {{10, 10}}, true), judgment(2, {}, true), judgment(1, {{4, 4}}, true)},
      kTexts, 2, "j");
  ASSERT_EQ(numbers.groups.size(), 3U);
  EXPECT_EQ(numbers.relevant, 3U);
  EXPECT_EQ(numbers.without_ranges, 1U);
  EXPECT_EQ(numbers.groups[0].selected_words(), 3U);
  EXPECT_DOUBLE_EQ(numbers.groups[0].mean_percent, 15);
  EXPECT_NEAR(numbers.groups[0].sd_percent, std::sqrt(50), 1e-12);
  EXPECT_EQ(numbers.groups[1].selected, numbers.groups[1].shown);
  EXPECT_EQ(numbers.groups[2].name, "rotated");
  EXPECT_EQ(numbers.groups[2].selected[5], 1U);
  EXPECT_EQ(numbers.groups[2].shown[0], 1U) << "the second half was shown first";
}

TEST(WordPlaces, ARangeBehindTheTextIsRefused) {
  EXPECT_NE(message_of([] {
              count_words_by_place({judgment(2, {{3, 19}})}, kTexts, 2, "j");
            }).find("j:2: the range 3-19 ends behind the 19 characters"),
            std::string::npos);
}

TEST(Spans, AreComparedWithWhatHalfOfTheJudgesSelect) {
  const std::vector<Judgment> judges = {judgment(2, {{0, 2}}),      judgment(3, {{2, 4}}),
                                        judgment(2, {{2, 2}}),      judgment(0, {}, {}, "D_1"),
                                        judgment(0, {}, {}, "D_1"), judgment(3, {{0, 0}}, {}, "D_1")};
  // b is selected by three of three, a and c by one each. Most judges find nothing in D_1.
  const std::vector<Judgment> system = {judgment(0, {{2, 4}}), judgment(0, {{6, 6}}, {}, "D_1"),
                                        judgment(0, {{0, 0}}, {}, "D_7")};
  const auto numbers = compare_spans(judges, "j", system, "s", kTexts, 2);
  EXPECT_EQ(numbers.snippets, 2U);
  EXPECT_EQ(numbers.relevant, 1U);
  EXPECT_EQ(numbers.unjudged, 1U);
  EXPECT_EQ(numbers.all.hit, 1U);
  EXPECT_EQ(numbers.all.wrong, 2U);
  EXPECT_EQ(numbers.all.missed, 0U);
  EXPECT_EQ(numbers.by_position.at(1).wrong, 1U);
  EXPECT_TRUE(std::isnan(numbers.by_position.at(1).recall()));
  EXPECT_EQ(compare_spans(judges, "j", {}, "s", kTexts, 2).all.missed, 1U);
}

}  // namespace
}  // namespace touchstone::analysis::studies::positions
