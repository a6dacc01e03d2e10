#include "llm_client/transport/transport.hpp"

#include "common/error.hpp"
#include "llm_client/transport/transport_loop.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace touchstone::llm_client::transport {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kIdleWait{1'000};
constexpr milliseconds kStatisticsInterval{50};

void check(const std::vector<Endpoint>& endpoints, const TransportOptions& options) {
  if (endpoints.empty()) throw ConfigError("there is no endpoint to send requests to; set a base URL");
  for (const auto& endpoint : endpoints) {
    const auto origin = internal::origin_of(endpoint.base_url);
    if (!endpoint.base_url.starts_with("http://") && !endpoint.base_url.starts_with("https://")) {
      throw ConfigError(fmt::format("\"{}\" is not a base URL; it must start with http:// or https://", origin));
    }
    if (!(endpoint.weight > 0)) throw ConfigError(fmt::format("{}: the weight must be above 0", origin));
    for (const auto& header : endpoint.headers) {
      if (header.find(':') == std::string::npos || header.find_first_of("\r\n") != std::string::npos) {
        throw ConfigError(
            fmt::format("{}: a header must be one line \"Name: value\"; look for a line end in the key", origin));
      }
    }
  }
  if (options.in_flight == 0 || options.queue == 0 || options.first_in_flight == 0 || options.max_attempts < 1) {
    throw ConfigError("requests in flight, the queue and the attempts of a request must be at least 1");
  }
}

}  // namespace

const char* to_string(FailureKind failure) noexcept {
  switch (failure) {
    case FailureKind::none:
      return "none";
    case FailureKind::transient_exhausted:
      return "transient_exhausted";
    case FailureKind::request_rejected:
      return "request_rejected";
    case FailureKind::incomplete:
      return "incomplete";
    case FailureKind::fatal:
      return "fatal";
    case FailureKind::cancelled:
      return "cancelled";
  }
  return "unknown";
}

/// The two queues and the thread between them.
class Transport::Worker {
 public:
  Worker(std::vector<Endpoint> endpoints, const TransportOptions& options)
      : options_(options), loop_(std::move(endpoints), options), statistics_(loop_.statistics()) {
    thread_ = std::jthread([this] { run(); });
  }

  ~Worker() { end(milliseconds(0)); }

  bool submit(Exchange exchange) {
    std::unique_lock lock(mutex_);
    space_.wait(lock, [&] { return queue_.size() < options_.queue || ended_; });
    if (ended_) return false;
    queue_.push_back(std::move(exchange));
    const bool wake = std::exchange(wants_work_, false);
    lock.unlock();
    if (wake) loop_.wake();
    return true;
  }

  std::vector<Delivery> take(milliseconds wait) {
    std::vector<Delivery> taken;
    std::unique_lock lock(mutex_);
    arrival_.wait_for(lock, wait, [&] { return !arrived_.empty() || done_; });
    taken.swap(arrived_);
    held_bytes_ = 0;
    if (thrown_ && taken.empty()) std::rethrow_exception(std::exchange(thrown_, nullptr));
    const bool wake = std::exchange(wants_room_, false);
    lock.unlock();
    if (wake) loop_.wake();
    return taken;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    space_.notify_all();
    loop_.wake();
  }

  void cancel() { end(options_.drain_timeout); }

  void end(milliseconds patience) {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    stop_within_ = stop_within_ ? std::min(*stop_within_, patience) : patience;
    space_.notify_all();
    loop_.wake();
  }

  bool finished() const {
    const std::lock_guard lock(mutex_);
    return done_ && arrived_.empty();
  }

  std::optional<std::string> fatal() const {
    const std::lock_guard lock(mutex_);
    return fatal_;
  }

  TransportStatistics statistics() const {
    const std::lock_guard lock(mutex_);
    auto result = statistics_;
    result.waiting += queue_.size();
    return result;
  }

 private:
  void run() noexcept {
    try {
      while (exchange()) loop_.step(stale_ ? kStatisticsInterval : kIdleWait, queued_, deliveries_);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      thrown_ = std::current_exception();
      done_ = ended_ = true;
      arrival_.notify_all();
      space_.notify_all();
    }
  }

  /// Hands deliveries out and takes exchanges in; false when there is nothing left to do.
  bool exchange() {
    const std::lock_guard lock(mutex_);
    if (loop_.fatal() && !fatal_) {
      fatal_ = loop_.fatal();
      ended_ = true;
      stop_within_ = options_.drain_timeout;
      space_.notify_all();
    }
    if (stop_within_) {
      for (; !queue_.empty(); queue_.pop_front()) loop_.add(std::move(queue_.front()));
      loop_.stop(*std::exchange(stop_within_, std::nullopt), deliveries_);
    }
    take_in();
    hand_out();
    if (!ended_ || !queue_.empty() || !loop_.empty()) return true;
    done_ = true;
    statistics_ = loop_.statistics();
    arrival_.notify_all();
    return false;
  }

  void take_in() {
    const std::size_t undelivered = arrived_.size() + deliveries_.size();
    const bool was_full = queue_.size() >= options_.queue;
    auto room = held_bytes_ < options_.max_held_bytes ? loop_.room(undelivered) : 0;
    for (; room > 0 && !queue_.empty(); --room) {
      loop_.add(std::move(queue_.front()));
      queue_.pop_front();
    }
    queued_ = queue_.size();
    // Woken late, the submitter finds room for many at once.
    blocked_ = blocked_ || was_full;
    if (blocked_ && queued_ <= options_.queue / 2) {
      blocked_ = false;
      space_.notify_all();
    }
    wants_work_ = room > 0;
    wants_room_ = !queue_.empty() && undelivered > 0;
  }

  void hand_out() {
    for (const auto& delivery : deliveries_) held_bytes_ += delivery.body.size();
    if (!deliveries_.empty()) {
      const bool first = arrived_.empty();
      if (first) {
        arrived_.swap(deliveries_);
      } else {
        std::move(deliveries_.begin(), deliveries_.end(), std::back_inserter(arrived_));
        deliveries_.clear();
      }
      if (first) arrival_.notify_all();
    }
    const auto now = std::chrono::steady_clock::now();
    stale_ = now - measured_at_ < kStatisticsInterval;
    if (stale_) return;
    measured_at_ = now;
    statistics_ = loop_.statistics();
  }

  const TransportOptions options_;
  // Of the I/O thread; the rest is guarded by mutex_.
  internal::TransportLoop loop_;
  std::vector<Delivery> deliveries_;
  std::size_t queued_ = 0;
  bool blocked_ = false;
  bool stale_ = false;  // the statistics, since they were made a moment ago
  std::chrono::steady_clock::time_point measured_at_;

  mutable std::mutex mutex_;
  std::condition_variable space_, arrival_;
  std::deque<Exchange> queue_;
  std::vector<Delivery> arrived_;
  std::size_t held_bytes_ = 0;  // of the bodies that have arrived
  bool ended_ = false;          // no more submissions
  bool done_ = false;           // the thread has left
  bool wants_work_ = true;      // a submission should wake the thread
  bool wants_room_ = false;     // so should a `take`
  std::optional<milliseconds> stop_within_;
  std::optional<std::string> fatal_;
  std::exception_ptr thrown_;
  TransportStatistics statistics_;
  std::jthread thread_;  // last: it uses all the others
};

Transport::Transport(std::vector<Endpoint> endpoints, TransportOptions options) {
  check(endpoints, options);
  options.first_in_flight = std::min(options.first_in_flight, options.in_flight);
  worker_ = std::make_unique<Worker>(std::move(endpoints), options);
}
Transport::~Transport() = default;

bool Transport::submit(Exchange exchange) {
  return worker_->submit(std::move(exchange));
}
std::vector<Delivery> Transport::take(milliseconds wait) {
  return worker_->take(wait);
}
void Transport::close() {
  worker_->close();
}
void Transport::cancel() {
  worker_->cancel();
}
bool Transport::finished() const {
  return worker_->finished();
}
std::optional<std::string> Transport::fatal() const {
  return worker_->fatal();
}
TransportStatistics Transport::statistics() const {
  return worker_->statistics();
}

}  // namespace touchstone::llm_client::transport
