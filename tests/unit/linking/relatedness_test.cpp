#include "linking/relatedness.hpp"

#include "tests/unit/linking/small_dictionary.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::linking {
namespace {

std::vector<std::uint32_t> every(std::uint32_t step, std::uint32_t end) {
  std::vector<std::uint32_t> pages;
  for (std::uint32_t page = 0; page < end; page += step) pages.push_back(page);
  return pages;
}

TEST(SharedSources, ShortListsAreCountedExactly) {
  const std::vector<std::uint32_t> a = {1, 5, 9}, b = {0, 1, 2, 9, 10}, none;
  EXPECT_EQ(shared_sources(a, b), 2);
  EXPECT_EQ(shared_sources(b, a), 2);
  EXPECT_EQ(shared_sources(a, none), 0);
  EXPECT_EQ(shared_sources(every(1, 100'000), every(2000, 100'000)), 50);
}

TEST(SharedSources, LongListsAreEstimatedFromTheirFirstPages) {
  // A third of the union of both lists is in both: every sixth page, of those that 2 or 3 divides (4 of 6).
  const double shared = shared_sources(every(2, 600'000), every(3, 600'000));
  EXPECT_NEAR(shared, 100'000, 10'000);
}

TEST(Relatedness, IsThatOfMilneAndWitten) {
  SmallDictionary small;
  const auto a = small.entity("A", {1, 2, 3, 4}), b = small.entity("B", {3, 4, 5}), c = small.entity("C", {9});
  const Dictionary dictionary(small.write());
  Relatedness related(dictionary);
  const double expected = 1 - (std::log(4.0) - std::log(2.0)) / (std::log(1000.0) - std::log(3.0));
  EXPECT_NEAR(related(a, b), expected, 1e-6);
  EXPECT_EQ(related(a, b), related(b, a));
  EXPECT_EQ(related(a, c), 0);
  EXPECT_EQ(related(a, a), 1);
}

}  // namespace
}  // namespace touchstone::linking
