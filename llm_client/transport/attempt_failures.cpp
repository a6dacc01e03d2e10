#include "llm_client/transport/transport_loop.hpp"

#include <algorithm>

#include <fmt/chrono.h>
#include <fmt/format.h>

/// What becomes of a request after an attempt: delivered, tried again, or the end of the run.
namespace touchstone::llm_client::transport::internal {

namespace {

using std::chrono::milliseconds;

/// A request that met the same trouble this often while others passed is at fault itself.
constexpr int kTriesUntilRejected = 3;
/// As many requests rejected before any succeeded mean that the run's settings are at fault.
constexpr std::uint64_t kRejectionsUntilFatal = 5;
/// As many refusals of one request, with nothing passing in between, are enough too.
constexpr int kRefusalsOfOneUntilFatal = 6;
/// As many refusals in a row, with nothing passing in between, mean that the server refuses everything. So do as many
/// requests, when only the control exchange passes.
constexpr std::uint64_t kRefusalsUntilFatal = 32;
/// As many other requests without a success, since one was told to come back much later, show that all are.
constexpr std::uint64_t kOthersUntilFatal = 3;
/// Others may still be on their way to the transport. If none has come after this time, the one speaks for all.
constexpr milliseconds kTimeForOthers{5'000};
/// An endpoint that was never reached is waited for this long only: its address is probably wrong.
constexpr milliseconds kFirstContactPatience{20'000};

std::string in_words(Clock::duration time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  return seconds < 120 ? fmt::format("{} s", seconds) : fmt::format("{} min", seconds / 60);
}

}  // namespace

void TransportLoop::settle(Reply& reply, Clock::time_point now) {
  auto& endpoint = endpoints_[jobs_.at(reply.tag).endpoint];
  endpoint.secrets().hide(reply.body);
  endpoint.secrets().hide(reply.error);
  endpoint.secrets().hide(reply.redirect);
  const Outcome outcome = classify(reply);
  endpoint.replied(reply, outcome, jobs_.at(reply.tag).exchange.token_estimate, jitter(), now);
  count(reply, outcome);
  // Nobody settles the control exchange's account later.
  if (jobs_.at(reply.tag).exchange.id == kControlExchange && options_.gate != nullptr) {
    options_.gate->failed(kControlExchange, outcome == Outcome::kSuccess || may_have_been_served(reply));
  }
  switch (outcome) {
    case Outcome::kSuccess:
      return succeed(reply);
    case Outcome::kRejected:
      return reject(reply);
    case Outcome::kRefused:
      return refuse(reply, now);
    case Outcome::kFatal:
      return end_run(reply, fmt::format("{}; {}", describe(reply, endpoint.name()), remedy(reply)));
    default:
      retry_or_give_up(reply, outcome, now);
  }
}

void TransportLoop::succeed(Reply& reply) {
  ++statistics_.succeeded;
  has_passed_ = has_passed_ || jobs_.at(reply.tag).exchange.id != kControlExchange;
  failing_since_.reset();
  last_success_sent_ = last_success_sent_ ? std::max(*last_success_sent_, reply.sent) : reply.sent;
  if (refused_since_ && reply.sent > *refused_since_) {
    refused_since_.reset();
    refused_in_row_ = 0;
  }
  if (options_.gate != nullptr) options_.gate->arrived(jobs_.at(reply.tag).exchange.id, reply.body);
  deliver(reply.tag, &reply, FailureKind::none, {});
}

void TransportLoop::reject(Reply& reply) {
  const auto& name = endpoints_[jobs_.at(reply.tag).endpoint].name();
  if (!is_too_long(reply) && !is_filtered(reply)) ++rejected_settings_;
  if (statistics_.succeeded == 0 && rejected_settings_ >= kRejectionsUntilFatal && !give_up_at_) {
    return end_run(
        reply,
        describe(reply, name) +
            fmt::format(", as it did to the first {} requests; correct the request's settings, then run again to go on",
                        rejected_settings_));
  }
  deliver(reply.tag, &reply, FailureKind::request_rejected, describe(reply, name));
}

void TransportLoop::end_run(Reply& reply, std::string sentence) {
  if (!fatal_) fatal_ = sentence;
  deliver(reply.tag, &reply, FailureKind::fatal, std::move(sentence));
  stop(options_.drain_timeout);
}

/// A status that the run's settings may cause, or this request alone, such as a firewall's 403. What happens to others
/// tells: to those that are sent later, or to the control exchange where there are none.
void TransportLoop::refuse(Reply& reply, Clock::time_point now) {
  Job& job = jobs_.at(reply.tag);
  const auto& name = endpoints_[job.endpoint].name();
  const auto sentence = describe(reply, name);
  if (give_up_at_) {
    deliver(reply.tag, &reply, FailureKind::cancelled, sentence + "; not tried again, since the run was stopped");
    return;
  }
  if (!refused_since_) refused_since_ = now;
  if (reply.sent > *refused_since_) ++refused_in_row_;  // what was sent before may have met a better server
  if (++job.refusals == 1) job.first_refused = now;
  const bool others_pass = last_success_sent_ && *last_success_sent_ > job.first_refused;
  if (others_pass && job.refusals >= kTriesUntilRejected) {
    if (++refused_alone_ >= kRefusalsUntilFatal && !has_passed_) {
      return end_run(reply, fmt::format("{}, as it did to {} requests; {}", sentence, refused_alone_, remedy(reply)));
    }
    deliver(reply.tag, &reply, FailureKind::request_rejected,
            fmt::format("{}, {} times while other requests passed", sentence, job.refusals));
    return;
  }
  const bool is_control = job.exchange.id == kControlExchange;
  const bool has_control = !options_.control_body.empty();
  const bool others_may_pass = has_control || (statistics_.succeeded > 0 && jobs_.size() + more_ > 1);
  const bool hopeless = refused_in_row_ >= kRefusalsUntilFatal || job.refusals >= kRefusalsOfOneUntilFatal;
  if (!others_pass && (is_control || hopeless || !others_may_pass)) {
    return end_run(reply, fmt::format("{}; {}", sentence, remedy(reply)));
  }
  const auto refused = reply.tag;
  retry(reply, false, now);
  const bool alone = jobs_.size() == retries_.size() && more_ == 0;
  const bool in_doubt = alone || statistics_.succeeded == 0 || jobs_.at(refused).refusals > 1;
  if (!others_pass && has_control && !control_is_live_ && in_doubt) {
    send_control();
  }
}

/// Puts a request up for another attempt.
void TransportLoop::retry(const Reply& reply, bool elsewhere, Clock::time_point now) {
  Job& job = jobs_.at(reply.tag);
  const bool control = job.exchange.id == kControlExchange;
  if (options_.gate != nullptr && !control) options_.gate->failed(job.exchange.id, may_have_been_served(reply));
  job.not_there_before = now + delay(job, reply, now);
  retries_.push({elsewhere ? now : job.not_there_before, retry_order_++, reply.tag});
}

void TransportLoop::retry_beside_control(const Reply& reply, Clock::time_point now) {
  retry(reply, false, now);
  if (!control_is_live_) send_control();
}

std::string TransportLoop::run_failure(const Job& job, const Reply& reply, Outcome outcome,
                                       Clock::time_point now) const {
  const auto& name = endpoints_[job.endpoint].name();
  const bool others_pass = statistics_.succeeded > job.successes_before;
  // One reply may be an error; the request is tried again, soon, until others have been tried as well.
  const bool others_tried =
      first_replies_ - job.first_replies_before >= kOthersUntilFatal || now - job.first_sent >= kTimeForOthers;
  if (job.waits > 1 && asks_too_long(job, reply, now) && !others_pass && others_tried) {
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
  if (reached_retries_cap()) {
    return fmt::format(
        "{}, and {} attempts of this run have failed already; see what is wrong with the server, then run again to go "
        "on",
        describe(reply, name), counted_retries_);
  }
  return {};
}

void TransportLoop::retry_or_give_up(Reply& reply, Outcome outcome, Clock::time_point now) {
  Job& job = jobs_.at(reply.tag);
  const auto& name = endpoints_[job.endpoint].name();
  if (give_up_at_) {
    deliver(reply.tag, &reply, FailureKind::cancelled,
            describe(reply, name) + "; not tried again, since the run was stopped");
    return;
  }
  if (job.failures + job.waits == 0) {
    job.successes_before = statistics_.succeeded;
    job.first_replies_before = first_replies_;
  }
  if (outcome == Outcome::kThrottled) {
    ++job.waits;
  } else {
    if (!failing_since_) failing_since_ = now;
    if (++job.failures == options_.max_attempts) ++tired_;
    job.suspects += outcome == Outcome::kSuspect ? 1 : 0;
  }
  const bool others_pass = statistics_.succeeded > job.successes_before;
  if (job.suspects >= kTriesUntilRejected && others_pass) {
    deliver(reply.tag, &reply,
            reply.arrival == Arrival::kReply ? FailureKind::request_rejected : FailureKind::incomplete,
            fmt::format("{}, {} times while other requests passed", describe(reply, name), job.suspects));
    return;
  }
  const bool told_to_wait_too_long = asks_too_long(job, reply, now) && job.waits > 1;
  const bool used_up = job.failures >= options_.max_attempts || used_up_patience(job, now) || told_to_wait_too_long;
  // Attempts that fail while nobody else gets through say nothing about this request, unless there is nobody else.
  if (used_up && (others_pass || (tired_ == jobs_.size() && more_ == 0))) {
    deliver(reply.tag, &reply, FailureKind::transient_exhausted,
            fmt::format("{}; given up after {} attempts{}", describe(reply, name), job.attempts,
                        told_to_wait_too_long ? ", since it asks to come back in " + in_words(*reply.hints.retry_after)
                                              : std::string()));
    return;
  }
  if (told_to_wait_too_long && !others_pass && !used_up_patience(job, now) && only_control_can_tell(job)) {
    return retry_beside_control(reply, now);
  }
  if (auto sentence = run_failure(job, reply, outcome, now); !sentence.empty()) {
    const bool endless = reply.arrival == Arrival::kTimeout || reply.arrival == Arrival::kOversized;
    if (endless && !reached_retries_cap() && only_control_can_tell(job)) {
      ++counted_retries_;
      return retry_beside_control(reply, now);
    }
    end_run(reply, std::move(sentence));
    return;
  }
  if (outcome != Outcome::kThrottled) ++counted_retries_;
  retry(reply, has_alternative(job, outcome, now), now);
}

/// True when no other request is under way or to come that has not failed too, so that a request can be compared with
/// the control exchange alone.
bool TransportLoop::only_control_can_tell(const Job& job) const {
  const bool is_control = job.exchange.id == kControlExchange;
  if (options_.control_body.empty() || is_control || more_ > 0) return false;
  const auto untried = [](const Job& other) {
    return other.exchange.id != kControlExchange && other.failures + other.waits + other.refusals == 0;
  };
  return std::ranges::none_of(fresh_, [&](std::size_t index) { return untried(jobs_.at(index)); }) &&
         std::ranges::none_of(jobs_,
                              [&](const auto& other) { return other.second.attempts > 0 && untried(other.second); });
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
  return std::ranges::any_of(endpoints_, [&](const EndpointState& endpoint) {
    return &endpoint != &endpoints_[job.endpoint] && endpoint.healthy(now);
  });
}

/// Exponential backoff with full jitter; a wait that the server names is kept, and jitter put on top of it.
Clock::duration TransportLoop::delay(const Job& job, const Reply& reply, Clock::time_point now) {
  const int doublings = std::clamp(job.failures + job.waits + job.refusals - 1, 0, 20);
  const auto longest = std::min<std::chrono::duration<double>>(options_.longest_backoff,
                                                               options_.backoff * static_cast<double>(1 << doublings));
  const auto named =
      asks_too_long(job, reply, now) ? kTimeForOthers / 2 : reply.hints.retry_after.value_or(milliseconds(0));
  const auto spread = named.count() > 0 ? std::min<std::chrono::duration<double>>(longest, options_.backoff) : longest;
  return named + std::chrono::duration_cast<Clock::duration>(spread * jitter());
}

}  // namespace touchstone::llm_client::transport::internal
