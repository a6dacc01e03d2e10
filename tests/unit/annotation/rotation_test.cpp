#include "annotation/rotation.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace touchstone::annotation {
namespace {

using Spans = std::vector<Span>;

/// The code points of a text that spans cover, without white space.
std::u32string covered(const std::string& text, const Spans& spans) {
  const auto points = to_utf32(text);
  std::u32string found;
  for (const auto& [begin, end] : spans) {
    for (auto at = begin; at < end && at < points.size(); ++at) {
      if (!is_unicode_space(points[at])) found += points[at];
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(MergeSpans, TouchingAndOverlappingSpansBecomeOneAndEmptyOnesNone) {
  EXPECT_EQ(merge_spans({{5, 7}, {0, 2}, {2, 3}, {6, 9}, {4, 4}}), (Spans{{0, 3}, {5, 9}}));
  EXPECT_EQ(merge_spans({}), Spans{});
}

TEST(Rotation, HalvesHaveAsManyWordsEachAndTheFirstTakesTheOddOne) {
  EXPECT_EQ(Rotation("a b c d").shown(), "c d a b ");
  EXPECT_EQ(Rotation("a b c").shown(), "c a b ");
}

TEST(Rotation, ATextOfLessThanTwoWordsStaysAsItIs) {
  for (const std::string text : {"", "   ", "word", "  word ", "漢字仮名"}) {
    const Rotation rotation(text);
    EXPECT_EQ(rotation.shown(), text);
    EXPECT_EQ(rotation.shown_size(), count_code_points(text));
    EXPECT_EQ(rotation.to_text({{0, 1}}), (Spans{{0, 1}}));
    EXPECT_EQ(rotation.to_shown({{0, 1}}), (Spans{{0, 1}}));
  }
}

TEST(Rotation, ASpanOverTheSeamBecomesTwoAndTheBlankThereBelongsToNothing) {
  const Rotation rotation("ab cd ef gh");  // shown: "ef gh ab cd "
  EXPECT_EQ(rotation.to_text({{3, 8}}), (Spans{{0, 2}, {9, 11}}));
  EXPECT_EQ(rotation.to_text({{5, 6}}), Spans{});
  EXPECT_EQ(rotation.to_shown({{3, 8}}), (Spans{{0, 2}, {9, 12}}));
}

TEST(Rotation, SpansOfAnyTextComeBackInTheirPlaces) {
  const std::vector<std::string> pieces = {
      "a",  "word", "\xF0\x9F\x8C\xB2", "e\xCC\x81",   "\xE6\xBC\xA2", "\xD9\x85", " ", "  ",
      "\n", "\t",   "\xC2\xA0",         "\xE2\x80\x8D"};
  std::mt19937 random(7);
  for (int round = 0; round < 2'000; ++round) {
    std::string text;
    for (auto count = random() % 30; count > 0; --count) text += pieces[random() % pieces.size()];
    const auto size = static_cast<std::uint32_t>(count_code_points(text));
    Spans spans;
    for (auto count = random() % 4; count > 0 && size > 0; --count) {
      const auto a = static_cast<std::uint32_t>(random() % (size + 1)),
                 b = static_cast<std::uint32_t>(random() % (size + 1));
      spans.emplace_back(std::min(a, b), std::max(a, b));
    }
    const Rotation rotation(text);
    ASSERT_EQ(rotation.shown_size(), count_code_points(rotation.shown())) << text;
    const auto shown = rotation.to_shown(spans);
    ASSERT_EQ(rotation.to_text(shown), merge_spans(spans)) << text;
    ASSERT_EQ(covered(rotation.shown(), shown), covered(text, merge_spans(spans))) << text;
    const auto back = rotation.to_text({{0, rotation.shown_size()}});
    ASSERT_EQ(back, size > 0 ? (Spans{{0, size}}) : Spans{}) << text;
  }
}

}  // namespace
}  // namespace touchstone::annotation
