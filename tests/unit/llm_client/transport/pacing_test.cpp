#include "llm_client/transport/pacing.hpp"

#include <algorithm>
#include <deque>

#include <gtest/gtest.h>

namespace touchstone::llm_client::transport::internal {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

const Clock::time_point kStart = Clock::time_point(std::chrono::hours(1));

TEST(MinuteCap, NoMinuteSeesMoreThanTheCapAndTheCapIsUsed) {
  for (const std::uint64_t per_minute : {1, 2, 7, 60, 90, 1'000}) {
    MinuteCap cap(per_minute, kStart);
    std::deque<Clock::time_point> minute;
    std::uint64_t taken = 0;
    auto now = kStart;
    while (now < kStart + std::chrono::minutes(10)) {
      now = std::max(now, cap.ready_at(1, now));
      cap.take(1, now);
      ++taken;
      minute.push_back(now);
      while (minute.front() <= now - std::chrono::minutes(1)) minute.pop_front();
      ASSERT_LE(minute.size(), per_minute);
    }
    EXPECT_GE(static_cast<double>(taken), 0.9 * 10 * static_cast<double>(per_minute)) << per_minute;
  }
}

TEST(MinuteCap, AnOversizedCostIsLetThroughAndPaidFor) {
  MinuteCap cap(600, kStart);
  EXPECT_EQ(cap.ready_at(1'000, kStart), kStart);
  cap.take(1'000, kStart);
  const auto wait = cap.ready_at(1, kStart) - kStart;
  EXPECT_GT(wait, seconds(95));
  EXPECT_LT(wait, seconds(115));
}

TEST(LearntLimit, ADaysLimitIsNotSleptOver) {
  const auto now = Clock::now();
  LearntLimit limit;
  limit.learn({100, 0, std::chrono::hours(24)}, now, 0, now);
  EXPECT_GT(limit.ready_at(1, now), now);
  EXPECT_LE(limit.ready_at(1, now), now + std::chrono::seconds(60));
}

TEST(LearntLimit, WhatRemainsIsSpreadOverTheTimeToTheReset) {
  LearntLimit limit;
  limit.learn({100, 50, milliseconds(10'000)}, kStart, 0, kStart);
  auto now = kStart;
  for (int i = 0; i < 25; ++i) {
    now = limit.ready_at(1, now);
    limit.take(1, now);
  }
  EXPECT_GE(now - kStart, milliseconds(4'500));
  EXPECT_LE(now - kStart, milliseconds(5'100));
}

TEST(LearntLimit, NothingIsSentWhileNothingRemains) {
  LearntLimit limit;
  limit.learn({100, 3, milliseconds(8'000)}, kStart, 3, kStart);
  EXPECT_EQ(limit.ready_at(1, kStart), kStart + seconds(8));
  EXPECT_EQ(limit.ready_at(1, kStart + seconds(8)), kStart + seconds(8));
}

TEST(LearntLimit, AReplyThatWasOvertakenIsNotBelieved) {
  LearntLimit limit;
  limit.learn({20, 0, milliseconds(2'000)}, kStart, 1, kStart);
  limit.learn({20, 19, milliseconds(100)}, kStart, 0, kStart);
  EXPECT_EQ(limit.ready_at(1, kStart), kStart + seconds(2));
  limit.learn({20, 19, milliseconds(100)}, kStart + seconds(1), 0, kStart + seconds(1));
  EXPECT_EQ(limit.ready_at(1, kStart + seconds(1)), kStart + seconds(1));
}

TEST(LearntLimit, ASteadyRefillIsMatched) {
  // A bucket of 100 that refills at 10 a second, as a server would tell it after each request.
  LearntLimit limit;
  double level = 100;
  auto now = kStart, updated = kStart;
  int sent = 0;
  while (now < kStart + seconds(60)) {
    now = std::max(now, limit.ready_at(1, now));
    limit.take(1, now);
    level = std::min(100.0, level + std::chrono::duration<double>(now - updated).count() * 10) - 1;
    updated = now;
    ++sent;
    ASSERT_GE(level, 0);
    limit.learn({100, static_cast<std::uint64_t>(level), milliseconds(static_cast<int>((100 - level) * 100))}, now, 0,
                now);
  }
  EXPECT_GE(sent, 600);
}

/// A server that works on `slots` requests at once, `service` each, and keeps the window filled.
double play(ConcurrencyWindow& window, double slots, milliseconds service, seconds time, std::size_t& replies) {
  auto now = kStart;
  while (now < kStart + time) {
    const auto size = window.size();
    const double rate = std::min(static_cast<double>(size), slots) / std::chrono::duration<double>(service).count();
    const auto latency = std::chrono::duration<double>(static_cast<double>(size) / rate);
    now += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / rate));
    window.sent(size, now - std::chrono::duration_cast<microseconds>(latency));
    window.succeeded(now - std::chrono::duration_cast<microseconds>(latency), now);
    ++replies;
  }
  return static_cast<double>(window.size());
}

TEST(ConcurrencyWindow, GrowsToTheCapWhileThatPays) {
  ConcurrencyWindow window(16, 1'024);
  std::size_t replies = 0;
  EXPECT_EQ(play(window, 1e9, milliseconds(200), seconds(3), replies), 1'024);
}

TEST(ConcurrencyWindow, StopsNearTheKneeWhereOnlyLatencyGrows) {
  ConcurrencyWindow window(4, 1'024);
  std::size_t replies = 0;
  const double size = play(window, 32, milliseconds(100), seconds(60), replies);
  EXPECT_GE(size, 32);
  EXPECT_LE(size, 100);
  EXPECT_GE(replies, 60 * 320 * 0.95);
}

TEST(ConcurrencyWindow, CongestionHalvesOnceForARoundTripAndNeverBelowOne) {
  ConcurrencyWindow window(64, 1'024);
  window.congested(kStart, kStart + milliseconds(100));
  window.congested(kStart + milliseconds(50), kStart + milliseconds(110));
  EXPECT_EQ(window.size(), 32U);
  for (int i = 0; i < 20; ++i) window.congested(kStart + seconds(i + 1), kStart + seconds(i + 1));
  EXPECT_EQ(window.size(), 1U);
}

TEST(ConcurrencyWindow, AWindowThatIsNotFilledDoesNotGrow) {
  ConcurrencyWindow window(64, 1'024);
  auto now = kStart;
  for (int i = 0; i < 1'000; ++i) {
    window.sent(5, now);
    window.succeeded(now, now + milliseconds(10));
    now += milliseconds(1);
  }
  EXPECT_EQ(window.size(), 64U);
}

}  // namespace
}  // namespace touchstone::llm_client::transport::internal
