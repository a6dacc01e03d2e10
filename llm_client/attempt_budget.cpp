#include "llm_client/attempt_budget.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::llm_client {

Spending AttemptBudget::grown(const Spending& worst) const {
  if (growth_ <= 1) return worst;
  Spending result = worst;
  result.cost = static_cast<PicoDollars>(std::ceil(static_cast<double>(worst.cost) * growth_));
  result.tokens = static_cast<std::uint64_t>(std::ceil(static_cast<double>(worst.tokens) * growth_));
  return result;
}

Spending AttemptBudget::worst_case(const Spending& worst) const {
  const std::lock_guard lock(mutex_);
  return grown(worst);
}

std::string AttemptBudget::obstacle(const Spending& worst) const {
  return budget_.obstacle(worst_case(worst));
}

bool AttemptBudget::reserve_locked(Account& account) {
  const auto wanted = grown(account.worst);
  if (!budget_.reserve(wanted)) return false;
  account.reserved = wanted;
  account.is_reserved = true;
  return true;
}

bool AttemptBudget::reserve(std::uint64_t id, const Spending& worst) {
  const std::lock_guard lock(mutex_);
  Account account;
  account.worst = worst;
  if (!reserve_locked(account)) return false;
  accounts_.insert_or_assign(id, account);
  return true;
}

void AttemptBudget::allow(std::uint64_t id, const Spending& worst) {
  const std::lock_guard lock(mutex_);
  Account account;
  account.worst = worst;
  accounts_.insert_or_assign(id, account);
}

bool AttemptBudget::may_send(std::uint64_t id, int) {
  const std::lock_guard lock(mutex_);
  const auto found = accounts_.find(id);
  if (found == accounts_.end()) return false;
  auto& account = found->second;
  if (account.is_reserved && budget_.is_overdrawn()) {
    budget_.settle(account.reserved, {});
    account.is_reserved = false;
  }
  return account.is_reserved || reserve_locked(account);
}

void AttemptBudget::arrived(std::uint64_t id, std::string_view body) {
  if (!price_ || !budget_.caps_costs()) return;
  const auto spent = price_(body);
  if (!spent) return;
  const std::lock_guard lock(mutex_);
  if (const auto found = accounts_.find(id); found != accounts_.end()) learn(found->second.worst, *spent);
}

void AttemptBudget::failed(std::uint64_t id, bool served) {
  const std::lock_guard lock(mutex_);
  const auto found = accounts_.find(id);
  if (found == accounts_.end() || !found->second.is_reserved) return;
  auto& account = found->second;
  budget_.settle(account.reserved, served ? account.reserved : Spending{0, 1, 0});
  account.is_reserved = false;
}

void AttemptBudget::settle(std::uint64_t id, const Spending& actual) {
  const std::lock_guard lock(mutex_);
  const auto found = accounts_.find(id);
  if (found == accounts_.end()) return;
  const auto account = found->second;
  accounts_.erase(found);
  if (!account.is_reserved) return;
  budget_.settle(account.reserved, actual);
  learn(account.worst, actual);
}

void AttemptBudget::learn(const Spending& worst, const Spending& actual) {
  double growth = growth_;
  if (worst.cost > 0) growth = std::max(growth, static_cast<double>(actual.cost) / static_cast<double>(worst.cost));
  if (worst.tokens > 0)
    growth = std::max(growth, static_cast<double>(actual.tokens) / static_cast<double>(worst.tokens));
  if (growth <= growth_) return;
  growth_ = growth;
  // What is under way will cost as much more.
  for (auto& [id, account] : accounts_) {
    if (!account.is_reserved) continue;
    const auto wanted = grown(account.worst);
    budget_.enlarge(account.reserved, wanted);
    account.reserved = wanted;
  }
}

}  // namespace touchstone::llm_client
