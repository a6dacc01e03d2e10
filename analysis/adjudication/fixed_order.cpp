#include "analysis/adjudication/methods.hpp"

#include <algorithm>
#include <numeric>

namespace touchstone::analysis::adjudication::internal {
namespace {

class FixedOrder : public Adjudicator {
 public:
  explicit FixedOrder(std::vector<std::uint32_t> order) : order_(std::move(order)) {}
  std::optional<std::uint32_t> next() override {
    return judged_ < order_.size() ? std::optional(order_[judged_]) : std::nullopt;
  }
  void judge(bool) override { ++judged_; }

 private:
  std::vector<std::uint32_t> order_;
  std::size_t judged_ = 0;
};

/// The highest rank of each document in any run, from 0.
std::vector<std::size_t> best_ranks(const TopicPool& pool) {
  std::vector<std::size_t> best(pool.docids.size(), pool.depth);
  for (const auto& run : pool.runs) {
    for (std::size_t rank = 0; rank < run.size(); ++rank) {
      if (run[rank] != kNotPooled) best[run[rank]] = std::min(best[run[rank]], rank);
    }
  }
  return best;
}

/// The pool of depth k in docid order comes first, for the smallest k whose pool holds the budget; then the rest by the
/// depth that it would need.
std::vector<std::uint32_t> top_k_order(const TopicPool& pool, std::size_t budget) {
  const auto best = best_ranks(pool);
  auto sorted = best;
  std::sort(sorted.begin(), sorted.end());
  const auto last = sorted.empty() ? 0 : sorted[std::min(std::max<std::size_t>(budget, 1), sorted.size()) - 1];
  std::vector<std::uint32_t> order(best.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return std::max(best[a], last) < std::max(best[b], last); });
  return order;
}

std::vector<std::uint32_t> ntcir_order(const TopicPool& pool) {
  std::vector<std::size_t> runs(pool.docids.size()), ranks(pool.docids.size());
  for (const auto& run : pool.runs) {
    for (std::size_t rank = 0; rank < run.size(); ++rank) {
      if (run[rank] == kNotPooled) continue;
      ++runs[run[rank]];
      ranks[run[rank]] += rank + 1;
    }
  }
  std::vector<std::uint32_t> order(pool.docids.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return runs[a] != runs[b] ? runs[a] > runs[b] : ranks[a] < ranks[b];
  });
  return order;
}

}  // namespace

std::unique_ptr<Adjudicator> make_fixed_order(const AdjudicationOptions& options, const TopicPool& pool) {
  const bool top_k = options.method == AdjudicationMethod::kTopK;
  return std::make_unique<FixedOrder>(top_k ? top_k_order(pool, options.budget) : ntcir_order(pool));
}

}  // namespace touchstone::analysis::adjudication::internal
