#include "formats/labeling/span_units.hpp"

#include "common/unicode.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::formats::labeling {
namespace {

using Spans = std::vector<Span>;

Spans convert(const std::vector<ForeignSpan>& spans, const std::string& text, OffsetUnit unit, std::string& error,
              bool either = false) {
  return spans_in_code_points(spans, &text, unit, either, error);
}

TEST(SpanUnits, CharactersBeyondTheBasicPlaneCountTwiceInUtf16) {
  const std::string text = "a\U0001F692b c";
  std::string error;
  EXPECT_EQ(convert({{0, 3, {}}, {5, 6, {}}}, text, OffsetUnit::kUtf16, error), (Spans{{0, 2}, {4, 5}}));
  EXPECT_EQ(convert({{0, 3, {}}}, text, OffsetUnit::kCodePoints, error), (Spans{{0, 3}}));
  EXPECT_EQ(spans_in_utf16({{0, 2}, {4, 5}}, text), (Spans{{0, 3}, {5, 6}}));
  EXPECT_EQ(error, "");
}

TEST(SpanUnits, TheWordsOfASpanTellWhatItsOffsetsCount) {
  const std::string text = "\U0001F4A9This is an annotation.";
  std::string error;
  EXPECT_EQ(convert({{13, 23, "annotation"}}, text, OffsetUnit::kCodePoints, error, true), (Spans{{12, 22}}));
  EXPECT_EQ(convert({{12, 22, "annotation"}}, text, OffsetUnit::kCodePoints, error, true), (Spans{{12, 22}}));
  EXPECT_EQ(error, "");
  convert({{13, 23, "annotation"}}, text, OffsetUnit::kCodePoints, error, false);
  EXPECT_NE(error.find("is \"nnotation.\" in the text and \"annotation\" in the export"), std::string::npos) << error;
}

TEST(SpanUnits, SpansThatOverlapAreJoinedAndSorted) {
  std::string error;
  EXPECT_EQ(convert({{6, 9, {}}, {0, 4, {}}, {2, 5, {}}, {9, 10, {}}}, "0123456789", OffsetUnit::kUtf16, error),
            (Spans{{0, 5}, {6, 9}, {9, 10}}));
}

TEST(SpanUnits, WhatIsNoSpanOfTheTextIsSaid) {
  const auto message = [](const ForeignSpan& span, OffsetUnit unit = OffsetUnit::kUtf16) {
    std::string error;
    convert({span}, "a\U0001F692b", unit, error);
    return error;
  };
  EXPECT_NE(message({0, 5, {}}).find("outside the text, which has 4 UTF-16 code units"), std::string::npos);
  EXPECT_NE(message({0, 4, {}}, OffsetUnit::kCodePoints).find("outside the text, which has 3 characters"),
            std::string::npos);
  EXPECT_NE(message({0, 2, {}}).find("cuts a character"), std::string::npos);
  EXPECT_NE(message({2, 2, {}}).find("is empty"), std::string::npos);
  EXPECT_NE(message({-1, 2, {}}).find("no range"), std::string::npos);
}

TEST(SpanUnits, ToUtf16AndBackKeepsEverySpan) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    const std::size_t size = 1 + random() % 40;
    for (std::size_t i = 0; i < size; ++i) {
      constexpr char32_t kCharacters[] = {U'a', U'é', U'神', U'\U0001F692', U'\U00010380'};
      append_utf8(text, kCharacters[random() % 5]);
    }
    Spans spans;
    for (std::uint32_t at = 0; at < size;) {
      const auto end = static_cast<std::uint32_t>(at + 1 + random() % (size - at));
      spans.emplace_back(at, end);
      at = end + static_cast<std::uint32_t>(random() % 4);
    }
    std::vector<ForeignSpan> foreign;
    for (const auto& [begin, end] : spans_in_utf16(spans, text)) foreign.push_back({begin, end, {}});
    std::string error;
    EXPECT_EQ(convert(foreign, text, OffsetUnit::kUtf16, error), spans);
    EXPECT_EQ(error, "");
  }
}

}  // namespace
}  // namespace touchstone::formats::labeling
