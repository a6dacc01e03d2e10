#include "llm_client/transport/transport.hpp"

#include "common/error.hpp"
#include "llm_client/transport/transport_loop.hpp"

#include <algorithm>
#include <utility>

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

Transport::Transport(std::vector<Endpoint> endpoints, TransportOptions options) : options_(std::move(options)) {
  check(endpoints, options_);
  options_.first_in_flight = std::min(options_.first_in_flight, options_.in_flight);
  loop_ = std::make_unique<internal::TransportLoop>(std::move(endpoints), options_);
  statistics_ = loop_->statistics();
  thread_ = std::jthread([this] { run(); });
}

Transport::~Transport() {
  end(milliseconds(0));
}

bool Transport::submit(Exchange exchange) {
  std::unique_lock lock(mutex_);
  space_.wait(lock, [&] { return queue_.size() < options_.queue || ended_; });
  if (ended_) return false;
  queue_.push_back(std::move(exchange));
  const bool wake = std::exchange(wants_work_, false);
  lock.unlock();
  if (wake) loop_->wake();
  return true;
}

std::vector<Delivery> Transport::take(milliseconds wait) {
  std::vector<Delivery> taken;
  std::unique_lock lock(mutex_);
  arrival_.wait_for(lock, wait, [&] { return !arrived_.empty() || done_; });
  taken.swap(arrived_);
  held_bytes_ = 0;
  if (thrown_ && taken.empty()) std::rethrow_exception(std::exchange(thrown_, nullptr));
  const bool wake = std::exchange(wants_room_, false);
  lock.unlock();
  if (wake) loop_->wake();
  return taken;
}

void Transport::close() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  space_.notify_all();
  loop_->wake();
}

void Transport::cancel() {
  end(options_.drain_timeout);
}

void Transport::end(milliseconds patience) {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  stop_within_ = stop_within_ ? std::min(*stop_within_, patience) : patience;
  space_.notify_all();
  loop_->wake();
}

bool Transport::finished() const {
  const std::lock_guard lock(mutex_);
  return done_ && arrived_.empty();
}

std::optional<std::string> Transport::fatal() const {
  const std::lock_guard lock(mutex_);
  return fatal_;
}

TransportStatistics Transport::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

void Transport::run() noexcept {
  try {
    while (exchange()) loop_->step(stale_ ? kStatisticsInterval : kIdleWait, queued_);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    thrown_ = std::current_exception();
    done_ = ended_ = true;
    arrival_.notify_all();
    space_.notify_all();
  }
}

bool Transport::exchange() {
  const std::lock_guard lock(mutex_);
  if (loop_->fatal() && !fatal_) {
    fatal_ = loop_->fatal();
    ended_ = true;
    stop_within_ = options_.drain_timeout;
    space_.notify_all();
  }
  if (stop_within_) {
    for (; !queue_.empty(); queue_.pop_front()) loop_->add(std::move(queue_.front()));
    loop_->stop(*std::exchange(stop_within_, std::nullopt));
  }
  take_in();
  hand_out();
  if (!ended_ || !queue_.empty() || !loop_->empty()) return true;
  done_ = true;
  statistics_ = loop_->statistics();
  arrival_.notify_all();
  return false;
}

void Transport::take_in() {
  const std::size_t undelivered = arrived_.size() + loop_->deliveries().size();
  const bool was_full = queue_.size() >= options_.queue;
  auto room = held_bytes_ < options_.max_held_bytes ? loop_->room(undelivered) : 0;
  for (; room > 0 && !queue_.empty(); --room) {
    loop_->add(std::move(queue_.front()));
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

void Transport::hand_out() {
  auto& deliveries = loop_->deliveries();
  if (!deliveries.empty()) {
    if (arrived_.empty()) arrival_.notify_all();
    for (auto& delivery : deliveries) {
      held_bytes_ += delivery.body.size();
      arrived_.push_back(std::move(delivery));
    }
    deliveries.clear();
  }
  const auto now = std::chrono::steady_clock::now();
  stale_ = now - measured_at_ < kStatisticsInterval;
  if (stale_) return;
  measured_at_ = now;
  statistics_ = loop_->statistics();
}

Delivery exchange_alone(std::vector<Endpoint> endpoints, TransportOptions options, Exchange exchange,
                        const StopFlag& stop) {
  constexpr milliseconds kTakeWait{200};
  Transport transport(std::move(endpoints), std::move(options));
  exchange.id = kOnlyExchange;
  transport.submit(std::move(exchange));
  transport.close();
  for (;;) {
    auto deliveries = transport.take(kTakeWait);
    if (!deliveries.empty()) return std::move(deliveries.front());
    if (stop.requested()) {
      transport.cancel();
      stop.check();
    }
  }
}

}  // namespace touchstone::llm_client::transport
