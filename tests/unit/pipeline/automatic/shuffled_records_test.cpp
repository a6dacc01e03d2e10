#include "pipeline/automatic/shuffled_records.hpp"

#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs numbered(int count) {
  Pairs pairs;
  for (int i = 0; i < count; ++i)
    pairs.emplace_back("id" + std::to_string(i), std::string(i % 90, 'x') + std::to_string(i));
  return pairs;
}

Pairs shuffle(const testing::TemporaryFolder& folder, const Pairs& records, std::uint64_t seed) {
  ShuffledRecords shuffled(folder.path(), "test", seed);
  for (const auto& [id, record] : records) shuffled.add(id, record);
  Pairs out;
  shuffled.for_each([&](std::string_view id, std::string_view record) { out.emplace_back(id, record); });
  return out;
}

TEST(ShuffledRecords, AllRecordsComeOutOnceInAnOrderOfTheSeed) {
  const testing::TemporaryFolder folder;
  auto records = numbered(3000);
  const auto one = shuffle(folder, records, 1), two = shuffle(folder, records, 2);
  EXPECT_NE(one, records);
  EXPECT_NE(one, two);
  EXPECT_TRUE(std::is_permutation(one.begin(), one.end(), records.begin(), records.end()));
  // Independent of the order in which they came.
  std::reverse(records.begin(), records.end());
  EXPECT_EQ(shuffle(folder, records, 1), one);
}

TEST(ShuffledRecords, OfEqualIdsTheFirstIsKept) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(shuffle(folder, {{"a", "first"}, {"b", "other"}, {"a", "second"}}, 5).size(), 2U);
  for (const auto& [id, record] : shuffle(folder, {{"a", "first"}, {"a", "second"}}, 5)) EXPECT_EQ(record, "first");
}

TEST(ShuffledRecords, ItsFilesAreGoneAfterwards) {
  const testing::TemporaryFolder folder;
  shuffle(folder, numbered(500), 3);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace touchstone::pipeline::automatic
