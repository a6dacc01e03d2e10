#include "analysis/votes/span_votes.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::votes {
namespace {

using formats::labeling::Span;
using Selections = std::vector<std::vector<Span>>;
using Heat = std::vector<SpanHeat>;

TEST(SpanHeat, CountsTheVotersOfEachCharacter) {
  EXPECT_EQ(span_heat(Selections{{{0, 4}}, {{2, 6}}, {}}), (Heat{{0, 2, 1}, {2, 4, 2}, {4, 6, 1}}));
}

TEST(SpanHeat, NeighbouringSpansOfDifferentVotersAreOneRun) {
  EXPECT_EQ(span_heat(Selections{{{0, 4}}, {{4, 6}}}), (Heat{{0, 6, 1}}));
}

TEST(SpanHeat, NobodySelectedNothing) {
  EXPECT_TRUE(span_heat(Selections{{}, {}}).empty());
}

TEST(MajoritySpans, NeedMoreThanHalfOfTheVoters) {
  const Heat heat = {{0, 2, 1}, {2, 4, 2}, {4, 5, 3}, {8, 9, 2}};
  EXPECT_EQ(majority_spans(heat, 3), (std::vector<Span>{{2, 5}, {8, 9}}));
  EXPECT_EQ(majority_spans(heat, 4), (std::vector<Span>{{4, 5}}));
}

TEST(MajoritySpans, AgreeWithACountOfEachCharacter) {
  std::mt19937 engine(7);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int round = 0; round < 200; ++round) {
    const std::size_t voters = 1 + random() % 5;
    Selections selections(voters);
    std::vector<std::uint32_t> counts(40);
    for (auto& spans : selections) {
      for (std::uint32_t at = random() % 5; at < 38;) {
        const std::uint32_t end = at + 1 + random() % (39 - at);
        spans.emplace_back(at, end);
        for (std::uint32_t c = at; c < end; ++c) ++counts[c];
        at = end + random() % 9;
      }
    }
    const auto heat = span_heat(selections);
    std::vector<std::uint32_t> from_heat(40);
    for (const auto& run : heat)
      for (std::uint32_t c = run.begin; c < run.end; ++c) from_heat[c] = run.voters;
    EXPECT_EQ(from_heat, counts);
    std::vector<bool> chosen(40), expected(40);
    for (const auto& [begin, end] : majority_spans(heat, voters))
      for (std::uint32_t c = begin; c < end; ++c) chosen[c] = true;
    for (std::size_t c = 0; c < 40; ++c) expected[c] = 2 * counts[c] > voters;
    EXPECT_EQ(chosen, expected);
  }
}

}  // namespace
}  // namespace touchstone::analysis::votes
