#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include <httplib.h>

namespace touchstone::annotation::server {

/// The threads that serve connections. A few do, as long as connections end soon: in a burst that is faster than a
/// thread for each, since every thread has its own cold memory. When no connection got its turn for a while, because
/// peers hold the threads and send nothing, each that waits gets a new thread, up to a bound.
///
/// The server calls it from its own thread; the connections run on the pool's.
class ConnectionPool final : public httplib::TaskQueue {
 public:
  using Duration = std::chrono::milliseconds;
  /// Longer than busy threads need for a turn, and shorter than a person notices.
  static constexpr Duration kPatience{50};

  /// \param few       threads that are always there, at least 1
  /// \param most      threads at once, at least `few`
  /// \param patience  how long nothing may get its turn until those that wait get threads
  /// \param stay      how long a thread beyond the few stays when it has nothing to do
  ConnectionPool(std::size_t few, std::size_t most, Duration patience = kPatience, Duration stay = Duration(10'000));
  ~ConnectionPool() override;
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  void enqueue(std::function<void()> connection) override;
  /// To be called every few milliseconds while no connection comes: those that wait may need threads.
  void on_idle() override;
  /// Serves what waits, and ends the threads.
  void shutdown() override;
  /// Threads that are there now.
  std::size_t threads() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Connection = std::function<void()>;
  /// A thread without a connection.
  struct Idle {
    std::condition_variable called;
    Connection connection;  ///< that it was called for
  };
  void start(std::size_t count);
  void help_waiting();
  void serve(std::list<std::thread>::iterator self);
  Connection next(std::unique_lock<std::mutex>& lock);

  const std::size_t few_;
  std::size_t most_;
  const Duration patience_, stay_;
  mutable std::mutex mutex_;
  std::deque<Connection> waiting_;
  std::vector<Idle*> idle_;  ///< who was busy last is called first: its memory is warm, and others can end
  std::list<std::thread> threads_, ended_;
  Clock::time_point last_turn_ = Clock::now();
  bool shut_down_ = false;
};

}  // namespace touchstone::annotation::server
