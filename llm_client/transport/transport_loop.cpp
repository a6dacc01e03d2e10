#include "llm_client/transport/transport_loop.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace touchstone::llm_client::transport::internal {

namespace {

using std::chrono::milliseconds;

constexpr auto kNever = Clock::time_point::max();
/// Between two questions to the gate whether a request may be sent again.
constexpr milliseconds kGateWait{50};
/// An endpoint with so many times its share of what may be in flight is slower than the others, which come first then.
constexpr double kShares = 1.5;

}  // namespace

TransportLoop::TransportLoop(std::vector<Endpoint> endpoints, const TransportOptions& options)
    : options_(options),
      engine_(options),
      requests_cap_(options.requests_per_minute, Clock::now()),
      tokens_cap_(options.tokens_per_minute, Clock::now()),
      random_(options.seed) {
  double weights = 0;
  for (auto& endpoint : endpoints) {
    weights += endpoint.weight;
    endpoints_.emplace_back(std::move(endpoint), options_);
  }
  most_for_weight_ = kShares * static_cast<double>(options_.in_flight) / weights;
}

std::size_t TransportLoop::room(std::size_t undelivered) const {
  const std::size_t cap = options_.in_flight;
  const std::size_t ahead = engine_.in_flight() + fresh_.size();
  if (jobs_.size() >= 3 * cap || ahead >= cap || undelivered + ahead >= options_.queue + cap) return 0;
  return std::min({3 * cap - jobs_.size(), cap - ahead, options_.queue + cap - undelivered - ahead});
}

void TransportLoop::add(Exchange exchange) {
  jobs_[next_job_].exchange = std::move(exchange);
  fresh_.push_back(next_job_++);
}

/// Puts the control exchange before all others.
void TransportLoop::send_control() {
  Exchange control;
  control.id = kControlExchange;
  control.path = options_.control_path;
  control.body = options_.control_body;
  add(std::move(control));
  fresh_.push_front(fresh_.back());
  fresh_.pop_back();
  control_is_live_ = true;
}

EndpointState* TransportLoop::choose(const Job& job, Clock::time_point now, Clock::time_point& ready_at) {
  EndpointState* best = nullptr;
  bool best_failed_it = false, best_over_share = false;
  for (std::size_t i = 0; i < endpoints_.size(); ++i) {
    auto& endpoint = endpoints_[i];
    const bool failed_it = job.attempts > 0 && job.endpoint == i;
    auto ready = endpoint.ready_at(job.exchange.token_estimate, now);
    if (failed_it) ready = std::max(ready, job.not_there_before);
    ready_at = std::min(ready_at, ready);
    if (ready > now) continue;
    const bool over_share = endpoint.in_flight_for_weight() >= most_for_weight_;
    if (best == nullptr ||
        std::tie(failed_it, over_share, endpoint.turn) < std::tie(best_failed_it, best_over_share, best->turn)) {
      best = &endpoint;
      best_failed_it = failed_it;
      best_over_share = over_share;
    }
  }
  return best;
}

void TransportLoop::send(std::size_t index, EndpointState& endpoint, Clock::time_point now) {
  Job& job = jobs_.at(index);
  const auto tokens = job.exchange.token_estimate;
  job.endpoint = static_cast<std::size_t>(&endpoint - endpoints_.data());
  if (++job.attempts == 1) {
    job.first_sent = now;
  } else {
    ++statistics_.retries;
  }
  requests_cap_.take(1, now);
  tokens_cap_.take(tokens, now);
  endpoint.sent(tokens, now);
  // An endpoint that was away does not make up for the turns it missed.
  double least = endpoint.turn;
  for (const auto& other : endpoints_) least = std::max(least, other.turn - 1 / other.weight());
  endpoint.turn = std::max(endpoint.turn, least - 1 / endpoint.weight()) + 1 / endpoint.weight();
  engine_.start(index, endpoint.url(job.exchange.path), job.exchange, endpoint.headers_for(job.exchange), now);
  ++statistics_.sent;
  statistics_.peak_in_flight = std::max(statistics_.peak_in_flight, engine_.in_flight());
}

Clock::time_point TransportLoop::start_ready(Clock::time_point now) {
  while (engine_.in_flight() < options_.in_flight) {
    const bool retry = !retries_.empty() && retries_.top().due <= now;
    if (!retry && fresh_.empty()) return retries_.empty() ? kNever : retries_.top().due;
    const std::size_t index = retry ? retries_.top().job : fresh_.front();
    const Job& job = jobs_.at(index);
    const auto tokens = job.exchange.token_estimate;
    auto ready_at = std::max(requests_cap_.ready_at(1, now), tokens_cap_.ready_at(tokens, now));
    if (ready_at > now) return ready_at;
    ready_at = kNever;
    EndpointState* endpoint = choose(job, now, ready_at);
    if (endpoint == nullptr) return ready_at;
    if (retry) {
      retries_.pop();
    } else {
      fresh_.pop_front();
    }
    if (options_.gate != nullptr && !options_.gate->may_send(job.exchange.id, job.attempts)) {
      postpone(index, now);
      continue;
    }
    send(index, *endpoint, now);
  }
  return kNever;
}

/// The gate lets a job have no attempt now. What is under way may come to less than was set aside for it.
void TransportLoop::postpone(std::size_t index, Clock::time_point now) {
  if (engine_.in_flight() == 0 && fresh_.empty()) {
    unaffordable_.push_back(index);
  } else {
    retries_.push({now + kGateWait, retry_order_++, index});
  }
}

void TransportLoop::drop_unaffordable() {
  for (const auto index : unaffordable_) {
    deliver(index, nullptr, FailureKind::cancelled, "not sent, since the budget does not allow it");
  }
  unaffordable_.clear();
}

void TransportLoop::step(milliseconds wait, std::size_t more) {
  more_ = more;
  auto now = Clock::now();
  auto until = now + wait;
  if (give_up_at_) {
    until = std::min(until, *give_up_at_);
  } else {
    until = std::min(until, start_ready(now));
    if (!unaffordable_.empty()) until = now;
    drop_unaffordable();
  }
  replies_.clear();
  engine_.run(std::chrono::ceil<std::chrono::microseconds>(until - now), replies_);
  now = Clock::now();
  for (auto& reply : replies_) settle(reply, now);
  if (!give_up_at_ || now < *give_up_at_) return;
  drop(HttpEngine::Which::kAll);
}

/// Gives attempts in flight up.
void TransportLoop::drop(HttpEngine::Which which) {
  const bool served = which == HttpEngine::Which::kAll;
  std::vector<std::size_t> dropped;
  engine_.abort(which, dropped);
  for (const auto index : dropped) {
    const Job& job = jobs_.at(index);
    endpoints_[job.endpoint].dropped(job.exchange.token_estimate);
    const bool control = job.exchange.id == kControlExchange;
    if (control && options_.gate != nullptr) options_.gate->failed(kControlExchange, served);
    deliver(index, nullptr, FailureKind::cancelled, "stopped before a reply came");
    if (!control) deliveries_.back().served = served;
  }
}

void TransportLoop::stop(milliseconds patience) {
  drop(HttpEngine::Which::kNotSent);  // nobody pays for them
  const auto at = Clock::now() + patience;
  give_up_at_ = give_up_at_ ? std::min(*give_up_at_, at) : at;
  const std::string message = fatal_ ? "not sent, since the run had to stop" : "not sent, since the run was stopped";
  for (const auto index : fresh_) deliver(index, nullptr, FailureKind::cancelled, message);
  fresh_.clear();
  for (; !retries_.empty(); retries_.pop()) {
    deliver(retries_.top().job, nullptr, FailureKind::cancelled, message);
  }
}

void TransportLoop::count(const Reply& reply, Outcome outcome) {
  first_replies_ += jobs_.at(reply.tag).attempts == 1 ? 1 : 0;
  statistics_.connections += reply.connected ? 1 : 0;
  statistics_.bytes_received += reply.body.size();
  statistics_.throttled += outcome == Outcome::kThrottled ? 1 : 0;
  statistics_.timeouts += reply.arrival == Arrival::kTimeout ? 1 : 0;
  statistics_.connection_failures += reply.arrival == Arrival::kNoConnection || reply.arrival == Arrival::kBroken;
  statistics_.oversized += reply.arrival == Arrival::kOversized ? 1 : 0;
}

void TransportLoop::deliver(std::size_t index, Reply* reply, FailureKind failure, std::string message) {
  const Job& job = jobs_.at(index);
  Delivery delivery;
  delivery.id = job.exchange.id;
  delivery.attempts = job.attempts;
  delivery.failure = failure;
  delivery.message = std::move(message);
  if (job.attempts > 0) delivery.endpoint = endpoints_[job.endpoint].name();
  if (reply != nullptr) {
    const bool whole = reply->arrival == Arrival::kReply;
    delivery.status = whole ? reply->status : 0;
    if (!whole) delivery.damage = describe_arrival(*reply);
    delivery.served = failure != FailureKind::none && may_have_been_served(*reply);
    delivery.body = std::move(reply->body);
    delivery.latency = reply->latency;
  }
  if (delivery.id == kControlExchange) {
    control_is_live_ = false;
  } else {
    deliveries_.push_back(std::move(delivery));
  }
  if (job.failures >= options_.max_attempts) --tired_;
  jobs_.erase(index);
}

TransportStatistics TransportLoop::statistics() const {
  auto result = statistics_;
  result.in_flight = engine_.in_flight();
  for (const auto& endpoint : endpoints_) result.endpoints.push_back(endpoint.statistics());
  return result;
}

}  // namespace touchstone::llm_client::transport::internal
