#include "annotation/server/connection_pool.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include <gtest/gtest.h>

namespace touchstone::annotation::server {
namespace {

using namespace std::chrono_literals;

/// Connections whose peers hold them.
class Held {
 public:
  void enqueue_to(ConnectionPool& pool, int count) {
    for (int i = 0; i < count; ++i) {
      pool.enqueue([this] {
        ++served_;
        ended_.wait();
      });
    }
  }
  int served() const { return served_; }
  void end() { end_.set_value(); }

 private:
  std::promise<void> end_;
  std::shared_future<void> ended_ = end_.get_future().share();
  std::atomic<int> served_{0};
};

TEST(ConnectionPool, ServesEverythingThatCame) {
  std::atomic<int> served{0};
  ConnectionPool pool(3, 8);
  for (int i = 0; i < 1'000; ++i) pool.enqueue([&] { ++served; });
  pool.shutdown();
  EXPECT_EQ(served, 1'000);
}

TEST(ConnectionPool, ShortConnectionsNeedNoMoreThreads) {
  ConnectionPool pool(2, 100, 1h);
  for (int i = 0; i < 500; ++i) {
    pool.enqueue([] { std::this_thread::sleep_for(100us); });
    pool.on_idle();
  }
  EXPECT_EQ(pool.threads(), 2U);
}

TEST(ConnectionPool, ThreadsThatWereNeededEndAgain) {
  Held held;
  ConnectionPool pool(2, 50, 1ms, 1ms);
  held.enqueue_to(pool, 20);
  while (held.served() < 20) pool.on_idle();
  held.end();
  while (pool.threads() > 2) pool.on_idle();
  std::promise<void> served;
  pool.enqueue([&served] { served.set_value(); });
  served.get_future().wait();
  EXPECT_EQ(pool.threads(), 2U);
}

TEST(ConnectionPool, ConnectionsThatAreHeldTakeThreadsFromNobody) {
  Held held;
  ConnectionPool pool(2, 50, 1ms);
  held.enqueue_to(pool, 49);
  std::promise<void> served;
  pool.enqueue([&served] { served.set_value(); });
  auto result = served.get_future();
  while (result.wait_for(1ms) != std::future_status::ready) pool.on_idle();
  while (held.served() < 49) std::this_thread::yield();  // the last of them has its thread, and may not have begun
  EXPECT_EQ(pool.threads(), 50U);
  held.end();
  pool.shutdown();
}

TEST(ConnectionPool, BeyondItsBoundConnectionsWait) {
  Held held;
  ConnectionPool pool(1, 4, 1ms);
  held.enqueue_to(pool, 10);
  while (held.served() < 4) pool.on_idle();
  std::this_thread::sleep_for(5ms);
  pool.on_idle();
  EXPECT_EQ(pool.threads(), 4U);
  EXPECT_EQ(held.served(), 4);
  held.end();
  pool.shutdown();
  EXPECT_EQ(held.served(), 10);
}

}  // namespace
}  // namespace touchstone::annotation::server
