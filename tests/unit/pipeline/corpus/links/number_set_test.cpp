#include "pipeline/corpus/links/number_set.hpp"

#include <cstdint>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace touchstone::pipeline::corpus::links {
namespace {

TEST(NumberSet, RanksWhatWasAddedInAnyOrder) {
  std::mt19937_64 random(7);
  for (const std::uint64_t most : {1U, 63U, 64U, 70'000U, 5'000'000U}) {
    std::set<std::uint64_t> expected;
    NumberSet set(std::size_t{64} << 20U);
    for (int i = 0; i < 3000; ++i) {
      const auto number = random() % (most + 1);
      expected.insert(number);
      ASSERT_TRUE(set.add(number));
    }
    set.seal();
    ASSERT_EQ(set.size(), expected.size());
    std::size_t rank = 0;
    for (const auto number : expected) {
      ASSERT_EQ(set.rank(number), rank++);
      ASSERT_EQ(set.contains(number + 1), expected.contains(number + 1));
    }
    EXPECT_FALSE(set.contains(UINT64_MAX));
  }
}

TEST(NumberSet, RefusesNumbersThatNeedTooMuchMemory) {
  constexpr std::size_t kFourBlocks = std::size_t{64} << 10U;
  NumberSet set(kFourBlocks + 4 * sizeof(void*));
  EXPECT_FALSE(set.add(UINT64_MAX));
  EXPECT_FALSE(NumberSet(kFourBlocks).add(std::uint64_t{65'536} * 8'192));  // its place alone takes all
  for (std::uint64_t block = 0; block < 4; ++block) EXPECT_TRUE(set.add(block * 65'536));
  EXPECT_FALSE(set.add(std::uint64_t{4} * 65'536));
  EXPECT_TRUE(set.add(9));
  set.seal();
  EXPECT_EQ(set.size(), 5U);
  EXPECT_EQ(set.rank(65'536), 2U);
}

}  // namespace
}  // namespace touchstone::pipeline::corpus::links
