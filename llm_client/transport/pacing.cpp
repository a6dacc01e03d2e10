#include "llm_client/transport/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::llm_client::transport::internal {

namespace {

using Seconds = std::chrono::duration<double>;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return Seconds(to - from).count();
}

Clock::time_point later(Clock::time_point now, double seconds) {
  return now + std::chrono::ceil<Clock::duration>(Seconds(std::min(seconds, 86'400.0)));
}

/// A server paced by its own numbers may be sent this much at once; finer steps would only cost wake-ups.
constexpr auto kPacingSlack = std::chrono::milliseconds(20);
/// Limits of a longer time, such as a day's, are not spread: what is left of them is used, and then the server says no.
constexpr auto kLongestPeriod = std::chrono::seconds(60);
/// Latency differences below this are no sign of a queue at the server.
constexpr double kLatencySlack_us = 5'000;
constexpr double kShortestRound_s = 0.05;
constexpr double kFewestReplies = 10;
/// Doubling ends after this many rounds that gained no throughput.
constexpr int kRoundsInVain = 2;

}  // namespace

MinuteCap::MinuteCap(std::uint64_t per_minute, Clock::time_point now) : updated_(now) {
  if (per_minute == 0) return;
  const auto cap = static_cast<double>(per_minute);
  // A full bucket and the refill of less than a minute stay below the cap and one.
  capacity_ = std::max(1.0, std::floor(cap / 60));
  per_second_ = (cap - capacity_ + 1) / 60;
  level_ = capacity_;
}

double MinuteCap::level(Clock::time_point now) const {
  return std::min(capacity_, level_ + per_second_ * seconds_between(updated_, now));
}

Clock::time_point MinuteCap::ready_at(std::uint64_t cost, Clock::time_point now) const {
  if (capacity_ == 0) return now;
  const double missing = std::min(static_cast<double>(cost), capacity_) - level(now);
  return missing <= 0 ? now : later(now, missing / per_second_);
}

void MinuteCap::take(std::uint64_t cost, Clock::time_point now) {
  if (capacity_ == 0) return;
  level_ = level(now) - static_cast<double>(cost);
  updated_ = now;
}

void LearntLimit::learn(const LimitHint& hint, Clock::time_point sent, std::uint64_t in_flight, Clock::time_point now) {
  if (hint.limit) limit_ = *hint.limit;
  if (!hint.remaining) return;
  // Without a reset nothing is known about the refill; an exhausted limit is then asked again after a second.
  if (!hint.reset && *hint.remaining > 0) {
    known_ = false;
    return;
  }
  if (!known_ || now >= reset_at_ || sent > learnt_from_ || *hint.remaining <= told_) {
    const auto reset =
        std::min<std::chrono::milliseconds>(hint.reset.value_or(std::chrono::seconds(1)), kLongestPeriod);
    known_ = true;
    learnt_from_ = std::max(sent, learnt_from_);
    told_ = *hint.remaining;
    period_ = std::max<Clock::duration>(reset, std::chrono::seconds(1));
    reset_at_ = now + reset;
    per_second_ = static_cast<double>(told_) / std::max(Seconds(reset).count(), 1e-3);
    next_at_ = std::min(next_at_, reset_at_);
  }
  remaining_ = static_cast<double>(told_) - static_cast<double>(in_flight);
}

Clock::time_point LearntLimit::ready_at(std::uint64_t cost, Clock::time_point now) const {
  if (!known_ || now >= reset_at_) return now;
  if (remaining_ < static_cast<double>(cost)) return reset_at_;
  return std::max(now, next_at_);
}

void LearntLimit::take(std::uint64_t cost, Clock::time_point now) {
  if (!known_) return;
  if (now >= reset_at_) {  // whole again, it is to be supposed, until a reply tells
    known_ = limit_ > 0;
    told_ = limit_;
    remaining_ = static_cast<double>(limit_);
    learnt_from_ = now;
    reset_at_ = now + period_;
    per_second_ = 0;
  }
  remaining_ -= static_cast<double>(cost);
  if (per_second_ > 0) {
    next_at_ = later(std::max(next_at_, now - kPacingSlack), static_cast<double>(cost) / per_second_);
  }
}

ConcurrencyWindow::ConcurrencyWindow(std::size_t first, std::size_t cap)
    : size_(static_cast<double>(std::clamp<std::size_t>(first, 1, cap))), cap_(static_cast<double>(cap)) {}

void ConcurrencyWindow::sent(std::size_t in_flight, Clock::time_point now) {
  if (in_flight >= size()) filled_at_ = now;
}

void ConcurrencyWindow::succeeded(Clock::time_point sent, Clock::time_point now) {
  if (round_.begin == Clock::time_point{}) begin_round(sent);
  ++round_.replies;
  round_.latency_us += std::chrono::duration<double, std::micro>(now - sent).count();
  // A window that was not full while the request was out tells nothing about a larger one.
  if (sent <= filled_at_) {
    size_ = doubling_ ? std::max(size_, std::min(size_ + 1, 2 * round_.size)) : size_ + 1 / size_;
    size_ = std::min(size_, cap_);
  }
  if (static_cast<double>(round_.replies) >= std::max(round_.size, kFewestReplies) &&
      seconds_between(round_.begin, now) >= kShortestRound_s) {
    end_round(now);
  }
}

void ConcurrencyWindow::begin_round(Clock::time_point now) {
  round_ = {};
  round_.begin = now;
  round_.size = size_;
}

void ConcurrencyWindow::end_round(Clock::time_point now) {
  round_.rate = static_cast<double>(round_.replies) / seconds_between(round_.begin, now);
  round_.latency_us /= static_cast<double>(round_.replies);
  const bool faster = round_.rate > 1.1 * best_.rate;
  const bool smaller = round_.size <= best_.size && round_.rate > 0.9 * best_.rate;
  const bool server_changed = round_.size <= best_.size && round_.rate < 0.5 * best_.rate;
  if (faster || smaller || server_changed) {
    best_ = round_;
    rounds_in_vain_ = 0;
  } else if (round_.size > best_.size) {
    if (++rounds_in_vain_ == kRoundsInVain) doubling_ = false;
    if (round_.latency_us > 2 * best_.latency_us + kLatencySlack_us) size_ = std::max(best_.size, 0.75 * size_);
  }
  begin_round(now);
}

void ConcurrencyWindow::congested(Clock::time_point sent, Clock::time_point now) {
  if (sent < shrunk_at_) return;  // it was in flight when the window shrank, and says nothing new
  size_ = std::max(1.0, size_ / 2);
  doubling_ = false;
  shrunk_at_ = now;
  begin_round(now);
}

}  // namespace touchstone::llm_client::transport::internal
