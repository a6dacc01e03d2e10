#include "llm_client/budget.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::llm_client {
namespace {

/// Of one token, rounded up so that no sum falls below the truth.
PicoDollars of_token(double dollars_per_million) {
  return static_cast<PicoDollars>(std::ceil(dollars_per_million * kPicoPerDollar / 1e6));
}

PicoDollars times(std::uint64_t tokens, PicoDollars price) {
  return static_cast<PicoDollars>(tokens) * price;
}

}  // namespace

PicoDollars Prices::cost(const providers::TokenUsage& usage) const noexcept {
  const double at_cached = cached < 0 ? prompt : cached, at_write = cache_write < 0 ? prompt : cache_write;
  const std::uint64_t special = usage.cached + usage.cache_written;
  const std::uint64_t fresh = usage.prompt > special ? usage.prompt - special : 0;
  return times(fresh, of_token(prompt * batch_factor)) + times(usage.cached, of_token(at_cached * batch_factor)) +
         times(usage.cache_written, of_token(at_write * batch_factor)) +
         times(usage.reply, of_token(reply * batch_factor));
}

PicoDollars Prices::highest_cost(std::uint64_t prompt_tokens, std::uint64_t reply_tokens) const noexcept {
  const double dearest = std::max({prompt, cached, cache_write});
  return times(prompt_tokens, of_token(dearest * batch_factor)) + times(reply_tokens, of_token(reply * batch_factor));
}

Spending& Spending::operator+=(const Spending& other) noexcept {
  cost += other.cost;
  calls += other.calls;
  tokens += other.tokens;
  return *this;
}

Spending& Spending::operator-=(const Spending& other) noexcept {
  cost -= other.cost;
  calls -= other.calls;
  tokens -= other.tokens;
  return *this;
}

Budget::Budget(const BudgetLimits& limits)
    : limits_(limits), most_(static_cast<PicoDollars>(limits.cost_dollars * kPicoPerDollar)) {}

std::string Budget::obstacle_locked(const Spending& worst) const {
  if (limits_.calls > 0 && spent_.calls + reserved_.calls + worst.calls > limits_.calls)
    return fmt::format("the budget of {} calls (--max-calls) is used up", limits_.calls);
  if (limits_.tokens > 0 && spent_.tokens + reserved_.tokens + worst.tokens > limits_.tokens)
    return fmt::format("the budget of {} tokens (--max-tokens) has {} left, and one more request may take {}",
                       limits_.tokens, limits_.tokens - std::min(limits_.tokens, spent_.tokens + reserved_.tokens),
                       worst.tokens);
  if (most_ > 0 && spent_.cost + reserved_.cost + worst.cost > most_)
    return fmt::format(
        "the budget of ${:.4f} (--max-cost) has ${:.4f} left, and one more request may cost ${:.6f}",
        limits_.cost_dollars,
        static_cast<double>(std::max<PicoDollars>(0, most_ - spent_.cost - reserved_.cost)) / kPicoPerDollar,
        static_cast<double>(worst.cost) / kPicoPerDollar);
  return {};
}

bool Budget::reserve(const Spending& worst) {
  const std::lock_guard lock(mutex_);
  if (!obstacle_locked(worst).empty()) return false;
  reserved_ += worst;
  return true;
}

void Budget::settle(const Spending& worst, const Spending& actual) {
  const std::lock_guard lock(mutex_);
  reserved_ -= worst;
  spent_ += actual;
}

void Budget::enlarge(const Spending& reserved, const Spending& wanted) {
  const std::lock_guard lock(mutex_);
  reserved_ -= reserved;
  reserved_ += wanted;
}

bool Budget::is_overdrawn() const {
  const std::lock_guard lock(mutex_);
  return !obstacle_locked({}).empty();
}

Spending Budget::spent() const {
  const std::lock_guard lock(mutex_);
  return spent_;
}

std::string Budget::obstacle(const Spending& worst) const {
  const std::lock_guard lock(mutex_);
  return obstacle_locked(worst);
}

}  // namespace touchstone::llm_client
