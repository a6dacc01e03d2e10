#pragma once

#include "llm_client/transport/endpoint_state.hpp"
#include "llm_client/transport/http_engine.hpp"
#include "llm_client/transport/outcome.hpp"
#include "llm_client/transport/pacing.hpp"
#include "llm_client/transport/transport.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace touchstone::llm_client::transport::internal {

/// The transport without its queues: which request goes where and when, and what becomes of it. Belongs to the I/O
/// thread; only `wake` may be called from others.
class TransportLoop {
 public:
  TransportLoop(std::vector<Endpoint> endpoints, const TransportOptions& options);

  /// How many exchanges it can take on, `undelivered` replies being still in the caller's hands.
  std::size_t room(std::size_t undelivered) const;
  void add(Exchange exchange);
  bool empty() const noexcept { return jobs_.empty(); }

  /// Sends what may be sent, then waits for replies at most `wait`; finished requests are added to `deliveries`.
  /// \param more  exchanges that wait outside
  void step(std::chrono::milliseconds wait, std::size_t more);
  void wake() noexcept { engine_.wake(); }
  /// Finished requests, for the caller to take away.
  std::vector<Delivery>& deliveries() noexcept { return deliveries_; }

  /// Ends all that is not in flight as cancelled, and what still is when `patience` has passed.
  void stop(std::chrono::milliseconds patience);
  const std::optional<std::string>& fatal() const noexcept { return fatal_; }

  TransportStatistics statistics() const;

 private:
  struct Job {
    Exchange exchange;
    std::size_t endpoint = 0;
    int attempts = 0, failures = 0, suspects = 0, waits = 0, refusals = 0;
    std::uint64_t successes_before = 0;  // of all requests, at its first failure
    std::uint64_t first_replies_before = 0;
    Clock::time_point first_refused;
    Clock::time_point first_sent;
    Clock::time_point not_there_before;  // at the endpoint that failed it
  };
  struct Retry {
    Clock::time_point due;
    std::uint64_t order;
    std::size_t job;
    bool operator>(const Retry& other) const { return std::tie(due, order) > std::tie(other.due, other.order); }
  };

  /// Sends what may be sent; returns when more may be without a reply in between.
  Clock::time_point start_ready(Clock::time_point now);
  EndpointState* choose(const Job& job, Clock::time_point now, Clock::time_point& ready_at);
  void send(std::size_t index, EndpointState& endpoint, Clock::time_point now);
  void settle(Reply& reply, Clock::time_point now);
  void count(const Reply& reply, Outcome outcome);
  void succeed(Reply& reply);
  void reject(Reply& reply);
  void end_run(Reply& reply, std::string sentence);
  void refuse(Reply& reply, Clock::time_point now);
  void send_control();
  void retry(const Reply& reply, bool elsewhere, Clock::time_point now);
  /// Tries again, and sends the control exchange meanwhile, which can tell whose fault the failure is.
  void retry_beside_control(const Reply& reply, Clock::time_point now);
  void postpone(std::size_t index, Clock::time_point now);
  void drop(HttpEngine::Which which);
  void drop_unaffordable();
  void retry_or_give_up(Reply& reply, Outcome outcome, Clock::time_point now);
  /// Why the run must stop because of this failed attempt; empty when it need not.
  std::string run_failure(const Job& job, const Reply& reply, Outcome outcome, Clock::time_point now) const;
  bool reached_retries_cap() const noexcept {
    return options_.retries_per_run > 0 && counted_retries_ >= options_.retries_per_run;
  }
  bool has_alternative(const Job& job, Outcome outcome, Clock::time_point now) const;
  bool asks_too_long(const Job& job, const Reply& reply, Clock::time_point now) const;
  bool used_up_patience(const Job& job, Clock::time_point now) const {
    return now - job.first_sent >= options_.patience;
  }
  bool only_control_can_tell(const Job& job) const;
  Clock::duration delay(const Job& job, const Reply& reply, Clock::time_point now);
  void deliver(std::size_t index, Reply* reply, FailureKind failure, std::string message);
  double jitter() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  TransportOptions options_;
  std::vector<EndpointState> endpoints_;
  double most_for_weight_ = 0;  ///< in flight at an endpoint of weight 1 before others come first
  HttpEngine engine_;
  MinuteCap requests_cap_, tokens_cap_;
  std::mt19937_64 random_;
  std::unordered_map<std::size_t, Job> jobs_;  // by the number under which they were added
  std::size_t next_job_ = 0;
  std::size_t more_ = 0;  // exchanges that wait outside
  std::vector<Delivery> deliveries_;
  std::deque<std::size_t> fresh_;
  std::priority_queue<Retry, std::vector<Retry>, std::greater<>> retries_;
  std::vector<Reply> replies_;
  std::size_t tired_ = 0;  // jobs whose attempts are used up
  std::uint64_t retry_order_ = 0, counted_retries_ = 0;
  std::uint64_t first_replies_ = 0;      // replies to a request's first attempt
  std::uint64_t rejected_settings_ = 0;  // rejections that may be due to what all requests have in common
  std::uint64_t refused_in_row_ = 0;     // replies, since a request that was sent after the first of them passed
  std::uint64_t refused_alone_ = 0;      // requests that were given up since others, or the control exchange, passed
  bool has_passed_ = false;              // a request, not the control exchange
  std::optional<Clock::time_point> refused_since_, last_success_sent_;
  bool control_is_live_ = false;
  std::vector<std::size_t> unaffordable_;  // jobs that the gate lets no attempt have
  std::optional<Clock::time_point> failing_since_, give_up_at_;
  std::optional<std::string> fatal_;
  TransportStatistics statistics_;
};

}  // namespace touchstone::llm_client::transport::internal
