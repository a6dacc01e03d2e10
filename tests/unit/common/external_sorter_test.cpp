#include "common/external_sorter.hpp"

#include "tests/support/temporary_folder.hpp"

#include <random>

#include <gtest/gtest.h>

namespace touchstone {
namespace {

struct Pair {
  std::uint64_t key;
  std::uint32_t value;
  friend bool operator<(const Pair& a, const Pair& b) { return std::pair(a.key, a.value) < std::pair(b.key, b.value); }
};

std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted(std::size_t count, std::size_t memory_bytes) {
  const testing::TemporaryFolder folder;
  ExternalSorter<Pair> sorter(folder.path(), "t", memory_bytes);
  std::mt19937_64 random(42);
  for (std::size_t i = 0; i < count; ++i) sorter.add({random() % 1000, static_cast<std::uint32_t>(random() % 100)});
  sorter.finish();
  std::vector<std::pair<std::uint64_t, std::uint32_t>> result;
  for (Pair pair{}; sorter.next(pair);) result.emplace_back(pair.key, pair.value);
  return result;
}

TEST(ExternalSorter, SpilledRunsGiveTheSameOrderAsMemory) {
  const auto spilled = sorted(100'000, 1024 * sizeof(Pair)), in_memory = sorted(100'000, 1 << 30);
  ASSERT_EQ(spilled.size(), 100'000U);
  EXPECT_TRUE(std::is_sorted(spilled.begin(), spilled.end()));
  EXPECT_EQ(spilled, in_memory);
}

TEST(ExternalSorter, NothingInNothingOut) {
  EXPECT_TRUE(sorted(0, 1024).empty());
}

TEST(ExternalSorter, RemovesItsRuns) {
  const testing::TemporaryFolder folder;
  {
    ExternalSorter<Pair> sorter(folder.path(), "t", 1);
    for (std::uint32_t i = 0; i < 5000; ++i) sorter.add({i, i});
    EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace touchstone
