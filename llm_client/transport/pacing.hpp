#pragma once

#include "llm_client/transport/rate_hints.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace touchstone::llm_client::transport::internal {

using Clock = std::chrono::steady_clock;

/// A hard cap of `per_minute` units: whatever the calls, no 60 seconds see more, except that a single cost above one
/// second's share is let through whole when the bucket is full. Not thread-safe, as all of this file.
class MinuteCap {
 public:
  explicit MinuteCap(std::uint64_t per_minute, Clock::time_point now);
  /// When `cost` may be taken: `now` or later.
  Clock::time_point ready_at(std::uint64_t cost, Clock::time_point now) const;
  void take(std::uint64_t cost, Clock::time_point now);

 private:
  double level(Clock::time_point now) const;
  double capacity_ = 0, per_second_ = 0, level_ = 0;  // capacity 0: no cap
  Clock::time_point updated_;
};

/// A limit as the server last told it. What remains is spread over the time to the reset: with a server that counts in
/// fixed windows this uses the window up at its end, with one that refills steadily it settles at the refill rate, half
/// of the bucket full. A reset more than a minute away counts as a minute.
class LearntLimit {
 public:
  /// \param sent       when the request of this reply was sent; replies overtake each other, and an older one does not
  ///                   undo what a newer one told
  /// \param in_flight  units of requests that were sent and not answered, which the server may not have counted yet
  void learn(const LimitHint& hint, Clock::time_point sent, std::uint64_t in_flight, Clock::time_point now);
  Clock::time_point ready_at(std::uint64_t cost, Clock::time_point now) const;
  void take(std::uint64_t cost, Clock::time_point now);
  std::uint64_t limit() const noexcept { return limit_; }

 private:
  std::uint64_t limit_ = 0;
  bool known_ = false;
  std::uint64_t told_ = 0;  // remaining, by the reply it was learnt from
  double remaining_ = 0, per_second_ = 0;
  Clock::duration period_{0};
  Clock::time_point learnt_from_, reset_at_, next_at_;
};

/// How many requests may be in flight at one endpoint: doubled each round trip at first, then one more each round trip
/// (additive increase), halved by a sign of congestion once per round trip (multiplicative decrease). It also shrinks,
/// to three quarters, when a larger window only made replies slower: latency more than twice that of the smallest
/// window with the best throughput. A batching server's latency grows too while throughput still does; that is no
/// reason to shrink.
class ConcurrencyWindow {
 public:
  ConcurrencyWindow(std::size_t first, std::size_t cap);
  std::size_t size() const noexcept { return static_cast<std::size_t>(size_); }
  /// A request was sent, and `in_flight` are out now.
  void sent(std::size_t in_flight, Clock::time_point now);
  /// A good reply came to a request sent at `sent`.
  void succeeded(Clock::time_point sent, Clock::time_point now);
  /// A request sent at `sent` met 429, 529, 503 or a timeout.
  void congested(Clock::time_point sent, Clock::time_point now);

 private:
  struct Round {
    Clock::time_point begin;
    std::size_t replies = 0;
    double latency_us = 0;  // sum, then mean
    double rate = 0;        // replies a second
    double size = 0;        // of the window, at its begin
  };
  void begin_round(Clock::time_point now);
  void end_round(Clock::time_point now);

  double size_, cap_;
  bool doubling_ = true;
  int rounds_in_vain_ = 0;
  Clock::time_point filled_at_, shrunk_at_;
  Round round_, best_;
};

}  // namespace touchstone::llm_client::transport::internal
