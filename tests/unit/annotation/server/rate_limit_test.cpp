#include "annotation/server/rate_limit.hpp"

#include <gtest/gtest.h>

namespace touchstone::annotation::server {
namespace {

using namespace std::chrono_literals;

const RateLimit::Clock::time_point kStart{};

TEST(RateLimit, ABurstPassesAndThenTheRate) {
  RateLimit limit(2, 3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limit.take("a", kStart));
  EXPECT_FALSE(limit.take("a", kStart));
  EXPECT_FALSE(limit.take("a", kStart + 400ms));
  EXPECT_TRUE(limit.take("a", kStart + 600ms));
  EXPECT_FALSE(limit.take("a", kStart + 600ms));
}

TEST(RateLimit, KeysDoNotShare) {
  RateLimit limit(1, 1);
  EXPECT_TRUE(limit.take("a", kStart));
  EXPECT_TRUE(limit.take("b", kStart));
  EXPECT_FALSE(limit.take("a", kStart));
}

TEST(RateLimit, ALongPauseGivesNoMoreThanABurst) {
  RateLimit limit(1, 2);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(limit.take("a", kStart + 1h));
  EXPECT_FALSE(limit.take("a", kStart + 1h));
}

}  // namespace
}  // namespace touchstone::annotation::server
