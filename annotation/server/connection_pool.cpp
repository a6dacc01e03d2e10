#include "annotation/server/connection_pool.hpp"

#include "common/log.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace touchstone::annotation::server {

ConnectionPool::ConnectionPool(std::size_t few, std::size_t most, Duration patience, Duration stay)
    : few_(few), most_(most), patience_(patience), stay_(stay) {
  const std::lock_guard lock(mutex_);
  start(few_);
}

ConnectionPool::~ConnectionPool() {
  shutdown();
}

std::size_t ConnectionPool::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

/// \pre the mutex is held
void ConnectionPool::start(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = threads_.emplace(threads_.end());
    try {
      *place = std::thread([this, place] { serve(place); });
    } catch (const std::system_error& error) {
      threads_.erase(place);
      if (threads_.empty()) throw;
      most_ = threads_.size();  // not to try again with each connection
      log_warn("annotate: the system allows {} threads only, so more connections at once wait: {}", most_,
               error.what());
      return;
    }
  }
}

/// \pre the mutex is held
void ConnectionPool::help_waiting() {
  if (waiting_.empty() || threads_.size() >= most_ || Clock::now() - last_turn_ < patience_) return;
  start(std::min(waiting_.size(), most_ - threads_.size()));
  last_turn_ = Clock::now();  // the new threads get some time as well
}

void ConnectionPool::enqueue(Connection connection) {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() && !idle_.empty()) {
    idle_.back()->connection = std::move(connection);
    idle_.back()->called.notify_one();
    idle_.pop_back();
    return;
  }
  if (waiting_.empty()) last_turn_ = Clock::now();
  waiting_.push_back(std::move(connection));
  help_waiting();
}

void ConnectionPool::on_idle() {
  std::list<std::thread> ended;
  {
    const std::lock_guard lock(mutex_);
    help_waiting();
    ended.swap(ended_);
  }
  for (auto& thread : ended) thread.join();
}

void ConnectionPool::shutdown() {
  std::list<std::thread> all;
  {
    const std::lock_guard lock(mutex_);
    shut_down_ = true;
    for (auto* const idle : idle_) idle->called.notify_one();
  }
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      all.swap(ended_);
      if (all.empty() && !threads_.empty()) all.splice(all.end(), threads_, threads_.begin());
    }
    if (all.empty()) return;
    for (auto& thread : all) thread.join();
    all.clear();
  }
}

void ConnectionPool::serve(std::list<std::thread>::iterator self) {
  std::unique_lock lock(mutex_);
  while (const auto connection = next(lock)) {
    lock.unlock();
    connection();
    lock.lock();
  }
  if (!shut_down_) ended_.splice(ended_.end(), threads_, self);
}

/// Waits for a connection. Returns none if the thread should end.
/// \pre `lock` holds the mutex
ConnectionPool::Connection ConnectionPool::next(std::unique_lock<std::mutex>& lock) {
  Idle idle;
  while (waiting_.empty() && !shut_down_) {
    idle_.push_back(&idle);
    idle.called.wait_for(lock, stay_, [&] { return idle.connection || shut_down_; });
    if (idle.connection) {
      last_turn_ = Clock::now();
      return std::move(idle.connection);
    }
    std::erase(idle_, &idle);
    if (threads_.size() > few_) return {};
  }
  if (waiting_.empty()) return {};
  last_turn_ = Clock::now();
  auto connection = std::move(waiting_.front());
  waiting_.pop_front();
  return connection;
}

}  // namespace touchstone::annotation::server
