#include "llm_client/transport/transport_loop.hpp"

#include <algorithm>
#include <limits>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace touchstone::llm_client::transport::internal {

namespace {

using std::chrono::milliseconds;

/// A request that met a 500, or a reply without end or sense, this often while others passed is at fault itself.
constexpr int kSuspectsUntilRejected = 3;
/// As many requests rejected before any succeeded mean that the run's settings are at fault.
constexpr std::uint64_t kRejectionsUntilFatal = 5;
/// An endpoint that was never reached is waited for this long only: its address is probably wrong.
constexpr milliseconds kFirstContactPatience{20'000};

constexpr auto kNever = Clock::time_point::max();

std::string in_words(Clock::duration time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  return seconds < 120 ? fmt::format("{} s", seconds) : fmt::format("{} min", seconds / 60);
}

}  // namespace

TransportLoop::TransportLoop(std::vector<Endpoint> endpoints, const TransportOptions& options)
    : options_(options),
      engine_(options),
      requests_cap_(options.requests_per_minute, Clock::now()),
      tokens_cap_(options.tokens_per_minute, Clock::now()),
      random_(options.seed) {
  for (auto& endpoint : endpoints) endpoints_.emplace_back(std::move(endpoint), options_);
}

std::size_t TransportLoop::room(std::size_t undelivered) const {
  const std::size_t cap = options_.in_flight;
  const std::size_t ahead = engine_.in_flight() + fresh_.size();
  if (live_ >= 3 * cap || ahead >= cap || undelivered + ahead >= options_.queue + cap) return 0;
  return std::min({3 * cap - live_, cap - ahead, options_.queue + cap - undelivered - ahead});
}

void TransportLoop::add(Exchange exchange) {
  std::size_t index = jobs_.size();
  if (free_jobs_.empty()) {
    jobs_.emplace_back();
  } else {
    index = free_jobs_.back();
    free_jobs_.pop_back();
  }
  jobs_[index].exchange = std::move(exchange);
  fresh_.push_back(index);
  ++live_;
  ++statistics_.submitted;
}

EndpointState* TransportLoop::choose(const Job& job, Clock::time_point now, Clock::time_point& ready_at) {
  EndpointState* best = nullptr;
  bool best_failed_it = false;
  for (std::size_t i = 0; i < endpoints_.size(); ++i) {
    auto& endpoint = endpoints_[i];
    const bool failed_it = job.attempts > 0 && job.endpoint == i;
    auto ready = endpoint.ready_at(job.exchange.token_estimate, now);
    if (failed_it) ready = std::max(ready, job.not_there_before);
    ready_at = std::min(ready_at, ready);
    if (ready > now) continue;
    if (best == nullptr || std::tie(failed_it, endpoint.turn) < std::tie(best_failed_it, best->turn)) {
      best = &endpoint;
      best_failed_it = failed_it;
    }
  }
  return best;
}

void TransportLoop::send(std::size_t index, EndpointState& endpoint, Clock::time_point now) {
  Job& job = jobs_[index];
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
  statistics_.bytes_sent += job.exchange.body.size();
  statistics_.peak_in_flight = std::max(statistics_.peak_in_flight, engine_.in_flight());
}

Clock::time_point TransportLoop::start_ready(Clock::time_point now) {
  statistics_.waiting_for_limit = false;
  while (engine_.in_flight() < options_.in_flight) {
    const bool retry = !retries_.empty() && retries_.top().due <= now;
    if (!retry && fresh_.empty()) return retries_.empty() ? kNever : retries_.top().due;
    const std::size_t index = retry ? retries_.top().job : fresh_.front();
    const Job& job = jobs_[index];
    const auto tokens = job.exchange.token_estimate;
    auto ready_at = std::max(requests_cap_.ready_at(1, now), tokens_cap_.ready_at(tokens, now));
    if (ready_at > now) {
      statistics_.waiting_for_limit = true;
      return ready_at;
    }
    ready_at = kNever;
    EndpointState* endpoint = choose(job, now, ready_at);
    if (endpoint == nullptr) {
      statistics_.waiting_for_limit = std::any_of(endpoints_.begin(), endpoints_.end(),
                                                  [&](const auto& each) { return each.limited(tokens, now); });
      return ready_at;
    }
    if (retry) {
      retries_.pop();
    } else {
      fresh_.pop_front();
    }
    send(index, *endpoint, now);
  }
  return kNever;
}

void TransportLoop::step(milliseconds wait, std::size_t more, std::vector<Delivery>& deliveries) {
  auto now = Clock::now();
  auto until = now + wait;
  if (give_up_at_) {
    until = std::min(until, *give_up_at_);
  } else {
    until = std::min(until, start_ready(now));
  }
  replies_.clear();
  engine_.run(std::chrono::ceil<std::chrono::microseconds>(until - now), replies_);
  now = Clock::now();
  for (auto& reply : replies_) settle(reply, more, now, deliveries);
  if (!give_up_at_ || now < *give_up_at_) return;
  std::vector<std::size_t> dropped;
  engine_.abort(dropped);
  for (const auto index : dropped) {
    endpoints_[jobs_[index].endpoint].dropped(jobs_[index].exchange.token_estimate);
    deliver(index, nullptr, FailureKind::cancelled, "stopped before a reply came", deliveries);
  }
}

void TransportLoop::stop(milliseconds patience, std::vector<Delivery>& deliveries) {
  const auto at = Clock::now() + patience;
  give_up_at_ = give_up_at_ ? std::min(*give_up_at_, at) : at;
  const std::string message = fatal_ ? "not sent, since the run had to stop" : "not sent, since the run was stopped";
  for (const auto index : fresh_) deliver(index, nullptr, FailureKind::cancelled, message, deliveries);
  fresh_.clear();
  for (; !retries_.empty(); retries_.pop()) {
    deliver(retries_.top().job, nullptr, FailureKind::cancelled, message, deliveries);
  }
}

void TransportLoop::count(const Reply& reply, Outcome outcome) {
  statistics_.connections += reply.connected ? 1 : 0;
  statistics_.bytes_received += reply.body.size();
  statistics_.throttled += outcome == Outcome::kThrottled ? 1 : 0;
  statistics_.timeouts += reply.arrival == Arrival::kTimeout ? 1 : 0;
  statistics_.connection_failures += reply.arrival == Arrival::kNoConnection || reply.arrival == Arrival::kBroken;
  statistics_.oversized += reply.arrival == Arrival::kOversized ? 1 : 0;
  statistics_.server_errors += reply.arrival == Arrival::kReply && reply.status >= 500 ? 1 : 0;
}

void TransportLoop::settle(Reply& reply, std::size_t more, Clock::time_point now, std::vector<Delivery>& deliveries) {
  auto& endpoint = endpoints_[jobs_[reply.tag].endpoint];
  redact(reply.body, endpoint.secrets());
  redact(reply.error, endpoint.secrets());
  const Outcome outcome = classify(reply);
  endpoint.replied(reply, outcome, jobs_[reply.tag].exchange.token_estimate, jitter(), now);
  count(reply, outcome);
  switch (outcome) {
    case Outcome::kSuccess:
      ++statistics_.succeeded;
      failing_since_.reset();
      deliver(reply.tag, &reply, FailureKind::none, {}, deliveries);
      return;
    case Outcome::kRejected:
      ++statistics_.rejected;
      if (!is_too_long(reply)) ++rejected_settings_;
      if (statistics_.succeeded == 0 && rejected_settings_ >= kRejectionsUntilFatal && !give_up_at_) {
        fatal_ =
            describe(reply, endpoint.name()) +
            fmt::format(", as it did to the first {} requests; correct the request's settings, then run again to go on",
                        rejected_settings_);
        deliver(reply.tag, &reply, FailureKind::fatal, *fatal_, deliveries);
        stop(options_.drain_timeout, deliveries);
        return;
      }
      deliver(reply.tag, &reply, FailureKind::request_rejected, describe(reply, endpoint.name()), deliveries);
      return;
    case Outcome::kFatal: {
      const auto sentence = fmt::format("{}; {}", describe(reply, endpoint.name()), remedy(reply));
      deliver(reply.tag, &reply, FailureKind::fatal, sentence, deliveries);
      if (!fatal_) fatal_ = sentence;
      stop(options_.drain_timeout, deliveries);
      return;
    }
    default:
      retry_or_give_up(reply, outcome, more, now, deliveries);
  }
}

std::string TransportLoop::run_failure(const Job& job, const Reply& reply, Outcome outcome,
                                       Clock::time_point now) const {
  const auto& name = endpoints_[job.endpoint].name();
  const bool others_pass = statistics_.succeeded > job.successes_before;
  // One reply may be an error; the request is tried once more, soon, to see whether others pass meanwhile.
  if (job.waits > 1 && asks_too_long(job, reply, now) && !others_pass) {
    return fmt::format("{}, and asks to come back in {}; run again then to go on", describe(reply, name),
                       in_words(*reply.hints.retry_after));
  }
  if (outcome == Outcome::kThrottled) {
    if (others_pass || now - job.first_sent < options_.patience) return {};
    return fmt::format("{}, and nothing else for {}; run again later to go on", describe(reply, name),
                       in_words(now - job.first_sent));
  }
  const auto failing = failing_since_ ? now - *failing_since_ : Clock::duration(0);
  const bool first_contact = outcome == Outcome::kUnreached && statistics_.succeeded == 0;
  if (failing > options_.outage_patience || (first_contact && failing > kFirstContactPatience)) {
    return fmt::format(
        "{}, and no request has succeeded for {}; see that the server runs at that address, then run again to go on",
        describe(reply, name), in_words(failing));
  }
  if (options_.retries_per_run > 0 && counted_retries_ >= options_.retries_per_run) {
    return fmt::format(
        "{}, and {} attempts of this run have failed already; see what is wrong with the server, then run again to go "
        "on",
        describe(reply, name), counted_retries_);
  }
  return {};
}

void TransportLoop::retry_or_give_up(Reply& reply, Outcome outcome, std::size_t more, Clock::time_point now,
                                     std::vector<Delivery>& deliveries) {
  Job& job = jobs_[reply.tag];
  const auto& name = endpoints_[job.endpoint].name();
  if (give_up_at_) {
    deliver(reply.tag, &reply, FailureKind::cancelled,
            describe(reply, name) + "; not tried again, since the run was stopped", deliveries);
    return;
  }
  if (job.failures + job.waits == 0) job.successes_before = statistics_.succeeded;
  if (outcome == Outcome::kThrottled) {
    ++job.waits;
  } else {
    if (!failing_since_) failing_since_ = now;
    if (++job.failures == options_.max_attempts) ++tired_;
    job.suspects += outcome == Outcome::kSuspect ? 1 : 0;
  }
  const bool others_pass = statistics_.succeeded > job.successes_before;
  if (job.suspects >= kSuspectsUntilRejected && others_pass) {
    ++statistics_.rejected;
    deliver(reply.tag, &reply, FailureKind::request_rejected,
            fmt::format("{}, {} times while other requests passed", describe(reply, name), job.suspects), deliveries);
    return;
  }
  const bool told_to_wait_too_long = asks_too_long(job, reply, now) && job.waits > 1;
  const bool used_up =
      job.failures >= options_.max_attempts || now - job.first_sent >= options_.patience || told_to_wait_too_long;
  // Attempts that fail while nobody else gets through say nothing about this request, unless there is nobody else.
  if (used_up && (others_pass || (tired_ == live_ && more == 0))) {
    ++statistics_.exhausted;
    deliver(reply.tag, &reply, FailureKind::transient_exhausted,
            fmt::format("{}; given up after {} attempts{}", describe(reply, name), job.attempts,
                        told_to_wait_too_long ? ", since it asks to come back in " + in_words(*reply.hints.retry_after)
                                              : std::string()),
            deliveries);
    return;
  }
  if (auto sentence = run_failure(job, reply, outcome, now); !sentence.empty()) {
    fatal_ = sentence;
    deliver(reply.tag, &reply, FailureKind::fatal, std::move(sentence), deliveries);
    stop(options_.drain_timeout, deliveries);
    return;
  }
  if (outcome != Outcome::kThrottled) ++counted_retries_;
  job.not_there_before = now + delay(job, reply, now);
  retries_.push({has_alternative(job, outcome, now) ? now : job.not_there_before, retry_order_++, reply.tag});
}

/// True when the server names a wait that is beyond the patience with this request.
bool TransportLoop::asks_too_long(const Job& job, const Reply& reply, Clock::time_point now) const {
  return reply.hints.retry_after && now + *reply.hints.retry_after > job.first_sent + options_.patience;
}

/// True when another endpoint may be asked at once. Each is asked once in this way; then even many endpoints that all
/// fail are asked with waits between.
bool TransportLoop::has_alternative(const Job& job, Outcome outcome, Clock::time_point now) const {
  if (outcome != Outcome::kUnreached && outcome != Outcome::kThrottled) return false;
  if (static_cast<std::size_t>(job.failures + job.waits) >= endpoints_.size()) return false;
  return std::any_of(endpoints_.begin(), endpoints_.end(), [&](const EndpointState& endpoint) {
    return &endpoint != &endpoints_[job.endpoint] && endpoint.healthy(now);
  });
}

/// Exponential backoff with full jitter; a wait that the server names is kept, and jitter put on top of it.
Clock::duration TransportLoop::delay(const Job& job, const Reply& reply, Clock::time_point now) {
  const int doublings = std::clamp(job.failures + job.waits - 1, 0, 20);
  const auto longest = std::min<std::chrono::duration<double>>(options_.longest_backoff,
                                                               options_.backoff * static_cast<double>(1 << doublings));
  const auto named =
      asks_too_long(job, reply, now) ? milliseconds(0) : reply.hints.retry_after.value_or(milliseconds(0));
  const auto spread = named.count() > 0 ? std::min<std::chrono::duration<double>>(longest, options_.backoff) : longest;
  return named + std::chrono::duration_cast<Clock::duration>(spread * jitter());
}

void TransportLoop::deliver(std::size_t index, Reply* reply, FailureKind failure, std::string message,
                            std::vector<Delivery>& deliveries) {
  Job& job = jobs_[index];
  Delivery delivery;
  delivery.id = job.exchange.id;
  delivery.attempts = job.attempts;
  delivery.failure = failure;
  delivery.message = std::move(message);
  if (job.attempts > 0) delivery.endpoint = endpoints_[job.endpoint].name();
  if (reply != nullptr) {
    delivery.status = reply->status;
    delivery.body = std::move(reply->body);
    delivery.latency = reply->latency;
  }
  statistics_.cancelled += failure == FailureKind::cancelled ? 1 : 0;
  deliveries.push_back(std::move(delivery));
  if (job.failures >= options_.max_attempts) --tired_;
  job = {};
  free_jobs_.push_back(index);
  --live_;
}

TransportStatistics TransportLoop::statistics() const {
  auto result = statistics_;
  const auto now = Clock::now();
  result.in_flight = engine_.in_flight();
  result.waiting = waiting();
  for (const auto& endpoint : endpoints_) result.endpoints.push_back(endpoint.statistics(now));
  return result;
}

}  // namespace touchstone::llm_client::transport::internal
