#include "llm_client/prompts/quotes.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::llm_client::prompts {
namespace {

TEST(Quotes, WhiteSpaceIsFoldedAndNothingElse) {
  EXPECT_EQ(find_quote("a  b\u00A0c", "a b c"), (std::pair<std::uint32_t, std::uint32_t>(0, 6)));
  EXPECT_EQ(find_quote("ääb c", "b  c"), (std::pair<std::uint32_t, std::uint32_t>(2, 5)));
  EXPECT_FALSE(find_quote("a b c", "A b"));
  EXPECT_FALSE(find_quote("a b c", "a c"));
  EXPECT_FALSE(find_quote("a b c", "\n"));
  EXPECT_FALSE(find_quote("", "a"));
}

TEST(Quotes, OverlappingSpansBecomeOne) {
  using Spans = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(merge_spans({{5, 9}, {0, 2}, {8, 12}, {2, 3}}), (Spans{{0, 3}, {5, 12}}));
}

}  // namespace
}  // namespace touchstone::llm_client::prompts
