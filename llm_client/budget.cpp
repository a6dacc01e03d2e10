#include "llm_client/budget.hpp"

#include "common/error.hpp"
#include "common/log.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

bool is_nothing(const Spending& spending) {
  return spending.cost == 0 && spending.calls == 0 && spending.tokens == 0;
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

Budget::Budget(const BudgetLimits& limits, std::shared_ptr<BudgetSource> source)
    : limits_(limits),
      most_(static_cast<PicoDollars>(limits.cost_dollars * kPicoPerDollar)),
      source_(std::move(source)) {}

Budget::~Budget() {
  if (!source_) return;
  // What is reserved still may have been spent.
  Spending rest;
  if (most_ > 0) rest.cost = std::max<PicoDollars>(0, taken_.cost - spent_.cost - reserved_.cost);
  if (limits_.calls > 0) rest.calls = taken_.calls - std::min(taken_.calls, spent_.calls + reserved_.calls);
  if (limits_.tokens > 0) rest.tokens = taken_.tokens - std::min(taken_.tokens, spent_.tokens + reserved_.tokens);
  if (is_nothing(rest)) return;
  try {
    source_->give_back(rest);
  } catch (const Error& error) {
    log_warn("the rest of this job's budget cannot be given back: {}", error.what());
  }
}

/// What is needed beyond what was taken, of what is capped.
Spending Budget::lacking_locked(const Spending& needed) const {
  Spending lacking;
  if (most_ > 0) lacking.cost = std::max<PicoDollars>(0, needed.cost - taken_.cost);
  if (limits_.calls > 0) lacking.calls = needed.calls - std::min(needed.calls, taken_.calls);
  if (limits_.tokens > 0) lacking.tokens = needed.tokens - std::min(needed.tokens, taken_.tokens);
  return lacking;
}

/// Sees to it that `needed` was taken. False when so much is not left.
bool Budget::fetch_locked(const Spending& needed) {
  const auto lacking = lacking_locked(needed);
  if (is_nothing(lacking)) return true;
  const auto portion = source_->take(lacking);
  if (portion) taken_ += *portion;
  return portion.has_value();
}

std::string Budget::obstacle_locked(const Spending& worst) const {
  auto used = spent_;
  used += reserved_;
  auto most = Spending{most_, limits_.calls, limits_.tokens};
  if (source_) {
    most = source_->left();
    most += taken_;
  }
  if (limits_.calls > 0 && used.calls + worst.calls > most.calls)
    return fmt::format("the budget of {} calls (--max-calls) is used up", limits_.calls);
  if (limits_.tokens > 0 && used.tokens + worst.tokens > most.tokens)
    return fmt::format("the budget of {} tokens (--max-tokens) has {} left, and one more request may take {}",
                       limits_.tokens, most.tokens - std::min(most.tokens, used.tokens), worst.tokens);
  if (most_ > 0 && used.cost + worst.cost > most.cost)
    return fmt::format("the budget of ${:.4f} (--max-cost) has ${:.4f} left, and one more request may cost ${:.6f}",
                       limits_.cost_dollars,
                       static_cast<double>(std::max<PicoDollars>(0, most.cost - used.cost)) / kPicoPerDollar,
                       static_cast<double>(worst.cost) / kPicoPerDollar);
  return {};
}

bool Budget::reserve(const Spending& worst) {
  const std::lock_guard lock(mutex_);
  if (source_) {
    auto needed = spent_;
    needed += reserved_;
    needed += worst;
    if (!fetch_locked(needed)) return false;
  } else if (!obstacle_locked(worst).empty()) {
    return false;
  }
  reserved_ += worst;
  return true;
}

void Budget::settle(const Spending& worst, const Spending& actual) {
  const std::lock_guard lock(mutex_);
  reserved_ -= worst;
  spent_ += actual;
  if (!source_) return;
  const auto debt = lacking_locked(spent_);
  if (is_nothing(debt)) return;
  source_->owe(debt);
  taken_ += debt;
}

void Budget::enlarge(const Spending& reserved, const Spending& wanted) {
  const std::lock_guard lock(mutex_);
  reserved_ -= reserved;
  reserved_ += wanted;
  if (!source_) return;
  auto needed = spent_;
  needed += reserved_;
  static_cast<void>(fetch_locked(needed));
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
