#include "pipeline/automatic/corpus_order.hpp"

#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic {
namespace {

using Passages = std::vector<std::pair<std::string, std::string>>;  ///< id and text

Passages numbered(std::size_t count) {
  Passages passages;
  for (std::size_t i = 0; i < count; ++i)
    passages.emplace_back("id" + std::to_string(i), std::string(i % 90, 'x') + " text " + std::to_string(i));
  return passages;
}

std::vector<std::string> ordered(const testing::TemporaryFolder& folder, const Passages& passages, std::uint64_t seed,
                                 std::size_t sort_bytes = CorpusOrder::kSortBytes) {
  CorpusOrder order(folder.path(), seed, sort_bytes);
  for (const auto& [id, text] : passages) order.add(id, text);
  std::vector<std::string> texts;
  order.for_each([&](std::string text) { texts.push_back(std::move(text)); });
  return texts;
}

TEST(CorpusOrder, AllPassagesComeOutOnceInAnOrderOfTheSeed) {
  const testing::TemporaryFolder folder;
  auto passages = numbered(3000);
  std::vector<std::string> texts;
  for (const auto& [id, text] : passages) texts.push_back(text);
  const auto one = ordered(folder, passages, 1), two = ordered(folder, passages, 2);
  EXPECT_NE(one, texts);
  EXPECT_NE(one, two);
  EXPECT_TRUE(std::is_permutation(one.begin(), one.end(), texts.begin(), texts.end()));
  // Independent of the order in which they came, and of the memory.
  std::reverse(passages.begin(), passages.end());
  EXPECT_EQ(ordered(folder, passages, 1), one);
  EXPECT_EQ(ordered(folder, passages, 1, 10'000), one);
}

TEST(CorpusOrder, OfEqualIdsTheFirstIsKept) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(ordered(folder, {{"a", "first"}, {"b", "other"}, {"a", "another"}}, 5).size(), 2U);
  EXPECT_EQ(ordered(folder, {{"a", "first"}, {"a", "another"}}, 5), std::vector<std::string>{"first"});
}

TEST(CorpusOrder, ItLeavesNothingInItsFolder) {
  const testing::TemporaryFolder folder;
  ordered(folder, numbered(500), 3, 10'000);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace touchstone::pipeline::automatic
