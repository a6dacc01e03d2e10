#pragma once

#include "llm_client/providers/chat.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace touchstone::llm_client {

/// Money in 10^-12 US dollars, so that a token's price is a whole number and sums do not depend on their order.
using PicoDollars = std::int64_t;
inline constexpr double kPicoPerDollar = 1e12;

/// Price of a million tokens in US dollars, as providers list them.
struct Prices {
  double prompt = 0;
  double cached = -1;       ///< prompt tokens read from the server's cache; below 0: as `prompt`
  double cache_write = -1;  ///< prompt tokens written to it; below 0: as `prompt`
  double reply = 0;
  double batch_factor = 1;  ///< of all of them, for batch jobs

  bool known() const noexcept { return prompt > 0 || reply > 0; }
  PicoDollars cost(const providers::TokenUsage& usage) const noexcept;
  /// With nothing read from a cache and everything written to it.
  PicoDollars highest_cost(std::uint64_t prompt_tokens, std::uint64_t reply_tokens) const noexcept;
};

/// What was, or may be, spent.
struct Spending {
  PicoDollars cost = 0;
  std::uint64_t calls = 0, tokens = 0;

  Spending& operator+=(const Spending& other) noexcept;
  Spending& operator-=(const Spending& other) noexcept;
};

/// Caps of a run; 0: none.
struct BudgetLimits {
  double cost_dollars = 0;
  std::uint64_t calls = 0, tokens = 0;
};

/// Hands a budget out in portions to processes that share it. Thread-safe.
class BudgetSource {
 public:
  virtual ~BudgetSource() = default;
  /// Takes at least `least`, and more where that saves asking soon again. Nothing when so much is not left.
  virtual std::optional<Spending> take(const Spending& least) = 0;
  /// Notes what was spent beyond all that was taken.
  virtual void owe(const Spending& more) = 0;
  virtual void give_back(const Spending& rest) = 0;
  /// What nobody has taken yet, by what is known now.
  virtual Spending left() const = 0;
};

/// Keeps a run under its caps: the worst case of a request is reserved before it is sent, and settled by what it cost.
/// So what was spent never passes a cap, as long as no attempt costs more than its reservation. Thread-safe.
class Budget {
 public:
  /// \param source  where the budget is shared with other processes: only what it hands out is spent, and what was not
  ///                spent is given back in the end
  explicit Budget(const BudgetLimits& limits, std::shared_ptr<BudgetSource> source = nullptr);
  ~Budget();
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// False, and nothing reserved, when the worst case would pass a cap.
  bool reserve(const Spending& worst);
  void settle(const Spending& worst, const Spending& actual);
  /// What is reserved already turns out to be too little. It may pass the caps then; nothing further is reserved.
  void enlarge(const Spending& reserved, const Spending& wanted);

  /// True when there is a cap on costs or tokens.
  bool caps_costs() const noexcept { return most_ > 0 || limits_.tokens > 0; }
  /// True when what was spent and what is reserved pass a cap together.
  bool is_overdrawn() const;

  Spending spent() const;
  /// Which cap is in the way of a request that costs `worst`, in words; empty: none.
  std::string obstacle(const Spending& worst) const;

 private:
  std::string obstacle_locked(const Spending& worst) const;
  Spending lacking_locked(const Spending& needed) const;
  bool fetch_locked(const Spending& needed);

  BudgetLimits limits_;
  PicoDollars most_;
  const std::shared_ptr<BudgetSource> source_;
  mutable std::mutex mutex_;
  Spending spent_, reserved_, taken_;  ///< the last of `source_`
};

}  // namespace touchstone::llm_client
