#pragma once

#include "llm_client/budget.hpp"
#include "llm_client/transport/transport.hpp"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace touchstone::llm_client {

/// Pays for the attempts of one model's requests out of a budget. Each attempt is a call, and has its worst case set
/// aside before it is sent. One that failed but may have been served is charged at its worst case: nobody says what it
/// cost. When a reply cost more than its worst case, the worst cases of all others grow by the same factor.
/// Thread-safe.
class AttemptBudget : public transport::AttemptGate {
 public:
  /// What a reply cost by its body; nothing when it does not say.
  using Price = std::function<std::optional<Spending>(std::string_view body)>;

  /// `budget` must outlive this. With `price`, a reply that cost too much is known before anything else is sent; it is
  /// asked where there is a cap on costs or tokens.
  explicit AttemptBudget(Budget& budget, Price price = {}) : budget_(budget), price_(std::move(price)) {}

  /// Sets the worst case of a request's first attempt aside. False, and nothing is set aside, when it passes a cap.
  bool reserve(std::uint64_t id, const Spending& worst);
  /// Lets the transport try a request that was never set aside for: the control exchange.
  void allow(std::uint64_t id, const Spending& worst);
  /// Which cap is in the way, in words; empty: none.
  std::string obstacle(const Spending& worst) const;

  bool may_send(std::uint64_t id, int attempts) override;
  void arrived(std::uint64_t id, std::string_view body) override;
  void failed(std::uint64_t id, bool served) override;

  /// A request has ended, and its last attempt cost `actual`, when it was sent at all.
  void settle(std::uint64_t id, const Spending& actual);
  /// The worst case of a request by what is known now.
  Spending worst_case(const Spending& worst) const;

 private:
  struct Account {
    Spending worst, reserved;
    bool is_reserved = false;
  };
  Spending grown(const Spending& worst) const;
  bool reserve_locked(Account& account);
  void learn(const Spending& worst, const Spending& actual);

  Budget& budget_;
  Price price_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Account> accounts_;
  double growth_ = 1;  ///< of the worst cases
};

}  // namespace touchstone::llm_client
