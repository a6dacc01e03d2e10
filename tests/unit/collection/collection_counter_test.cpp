#include "collection/collection_counter.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection {
namespace {

TEST(CollectionCounter, BucketsAreTensThenHundredsThenThousands) {
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(member_bucket(0), Range(0, 0));
  EXPECT_EQ(member_bucket(1), Range(1, 10));
  EXPECT_EQ(member_bucket(10), Range(1, 10));
  EXPECT_EQ(member_bucket(11), Range(11, 20));
  EXPECT_EQ(member_bucket(100), Range(91, 100));
  EXPECT_EQ(member_bucket(101), Range(101, 200));
  EXPECT_EQ(member_bucket(1000), Range(901, 1000));
  EXPECT_EQ(member_bucket(1001), Range(1001, 2000));
}

}  // namespace
}  // namespace touchstone::collection
