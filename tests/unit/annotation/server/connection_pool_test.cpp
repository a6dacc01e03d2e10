#include "annotation/server/connection_pool.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include <gtest/gtest.h>

namespace touchstone::annotation::server {
namespace {

using namespace std::chrono_literals;

TEST(ConnectionPool, ServesEverythingThatCame) {
  std::atomic<int> served{0};
  ConnectionPool pool(3, 8);
  for (int i = 0; i < 1'000; ++i) pool.enqueue([&] { ++served; });
  pool.shutdown();
  EXPECT_EQ(served, 1'000);
}

TEST(ConnectionPool, ShortConnectionsNeedNoMoreThreads) {
  ConnectionPool pool(2, 100);
  for (int i = 0; i < 500; ++i) {
    pool.enqueue([] { std::this_thread::sleep_for(100us); });
    pool.on_idle();
  }
  EXPECT_EQ(pool.threads(), 2U);
}

TEST(ConnectionPool, ThreadsThatWereNeededEndAgain) {
  std::promise<void> end;
  const auto ended = end.get_future().share();
  std::atomic<int> held{0};
  ConnectionPool pool(2, 50, 1ms);
  for (int i = 0; i < 20; ++i) {
    pool.enqueue([&held, ended] {
      ++held;
      ended.wait();
    });
  }
  while (held < 20) pool.on_idle();
  end.set_value();
  while (pool.threads() > 2) pool.on_idle();
  std::promise<void> served;
  pool.enqueue([&served] { served.set_value(); });
  served.get_future().wait();
  EXPECT_EQ(pool.threads(), 2U);
}

TEST(ConnectionPool, ConnectionsThatAreHeldTakeThreadsFromNobody) {
  std::promise<void> end;
  const auto ended = end.get_future().share();
  std::atomic<int> held{0};
  ConnectionPool pool(2, 50);
  for (int i = 0; i < 49; ++i) {
    pool.enqueue([&held, ended] {
      ++held;
      ended.wait();
    });
  }
  std::promise<void> served;
  pool.enqueue([&served] { served.set_value(); });
  auto result = served.get_future();
  while (result.wait_for(1ms) != std::future_status::ready) pool.on_idle();
  EXPECT_EQ(held, 49);
  EXPECT_EQ(pool.threads(), 50U);
  end.set_value();
  pool.shutdown();
}

TEST(ConnectionPool, BeyondItsBoundConnectionsWait) {
  std::promise<void> end;
  const auto ended = end.get_future().share();
  std::atomic<int> served{0};
  ConnectionPool pool(1, 4);
  for (int i = 0; i < 10; ++i) {
    pool.enqueue([&served, ended] {
      ++served;
      ended.wait();
    });
  }
  while (served < 4) pool.on_idle();
  std::this_thread::sleep_for(50ms);
  pool.on_idle();
  EXPECT_EQ(pool.threads(), 4U);
  EXPECT_EQ(served, 4);
  end.set_value();
  pool.shutdown();
  EXPECT_EQ(served, 10);
}

}  // namespace
}  // namespace touchstone::annotation::server
