#include "analysis/adjudication/adjudicator.hpp"

#include "analysis/statistics/beta_sampler.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace touchstone::analysis::adjudication {
namespace {

/// The place in each run up to which everything is judged.
class RunCursors {
 public:
  explicit RunCursors(const TopicPool& pool) : pool_(pool), places_(pool.runs.size()), judged_(pool.docids.size()) {}

  /// The run's best document that is not judged; nothing if all are.
  std::optional<std::uint32_t> next(std::size_t run) {
    const auto& documents = pool_.runs[run];
    auto& place = places_[run];
    while (place < documents.size() && (documents[place] == kNotPooled || judged_[documents[place]])) ++place;
    return place < documents.size() ? std::optional(documents[place]) : std::nullopt;
  }

  void judge(std::uint32_t document) { judged_[document] = true; }

 private:
  const TopicPool& pool_;
  std::vector<std::size_t> places_;
  std::vector<bool> judged_;
};

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

class MoveToFront : public Adjudicator {
 public:
  MoveToFront(const TopicPool& pool, std::uint64_t seed, std::uint64_t topic_seed)
      : cursors_(pool), priorities_(pool.runs.size()), random_(seed, topic_seed) {}

  std::optional<std::uint32_t> next() override {
    if (document_) return document_;
    if (run_) document_ = cursors_.next(*run_);
    if (!document_ && (run_ = draw_run())) document_ = cursors_.next(*run_);
    return document_;
  }

  void judge(bool relevant) override {
    cursors_.judge(*document_);
    document_.reset();
    if (relevant) return;
    --priorities_[*run_];
    run_.reset();
  }

 private:
  /// One of the runs of highest priority that have a document left.
  std::optional<std::size_t> draw_run() {
    std::vector<std::size_t> candidates;
    auto highest = std::numeric_limits<std::int64_t>::min();
    for (std::size_t run = 0; run < priorities_.size(); ++run) {
      if (priorities_[run] < highest || !cursors_.next(run)) continue;
      if (priorities_[run] > highest) candidates.clear();
      highest = priorities_[run];
      candidates.push_back(run);
    }
    if (candidates.empty()) return std::nullopt;
    return candidates[random_.below(static_cast<std::uint32_t>(candidates.size()))];
  }

  RunCursors cursors_;
  std::vector<std::int64_t> priorities_;
  statistics::Random random_;
  std::optional<std::size_t> run_;
  std::optional<std::uint32_t> document_;
};

/// What judgments say of a run: the posterior is Beta(1 + relevant, 1 + not_relevant).
struct RunRecord {
  double relevant = 0, not_relevant = 0;
};

class Bandit : public Adjudicator {
 public:
  Bandit(const AdjudicationOptions& options, const TopicPool& pool, std::uint64_t topic_seed)
      : cursors_(pool), records_(pool.runs.size()), holders_(pool.docids.size()), random_(options.seed, topic_seed) {
    using enum AdjudicationMethod;
    draws_ = options.method == kThompson || options.method == kThompsonNonStationary;
    const bool fades = options.method == kMaxMeanNonStationary || options.method == kThompsonNonStationary;
    rate_ = fades ? options.rate : 1;
    for (std::uint32_t run = 0; run < pool.runs.size(); ++run) {
      for (const auto document : pool.runs[run]) {
        if (document != kNotPooled) holders_[document].push_back(run);
      }
    }
  }

  std::optional<std::uint32_t> next() override {
    if (document_) return document_;
    double best = -1;
    std::vector<std::uint32_t> candidates;
    for (std::size_t run = 0; run < records_.size(); ++run) {
      const auto document = cursors_.next(run);
      if (!document) continue;
      const double value = draws_ ? drawn_mean(records_[run]) : posterior_mean(records_[run]);
      if (value < best) continue;
      if (value > best) candidates.clear();
      best = value;
      candidates.push_back(*document);
    }
    if (!candidates.empty()) document_ = candidates[random_.below(static_cast<std::uint32_t>(candidates.size()))];
    return document_;
  }

  void judge(bool relevant) override {
    cursors_.judge(*document_);
    for (const auto run : holders_[*document_]) {
      auto& record = records_[run];
      record.relevant = rate_ * record.relevant + (relevant ? 1 : 0);
      record.not_relevant = rate_ * record.not_relevant + (relevant ? 0 : 1);
    }
    document_.reset();
  }

 private:
  static double posterior_mean(const RunRecord& record) {
    return (1 + record.relevant) / (2 + record.relevant + record.not_relevant);
  }
  double drawn_mean(const RunRecord& record) {
    return statistics::draw_beta(1 + record.relevant, 1 + record.not_relevant, random_);
  }

  RunCursors cursors_;
  std::vector<RunRecord> records_;
  std::vector<std::vector<std::uint32_t>> holders_;  ///< runs that hold each document
  statistics::Random random_;
  bool draws_ = false;
  double rate_ = 1;
  std::optional<std::uint32_t> document_;
};

class Hedge : public Adjudicator {
 public:
  Hedge(double beta, const TopicPool& pool)
      : log_beta_(std::log(beta)),
        log_weights_(pool.runs.size()),
        losses_(pool.docids.size()),
        judged_(pool.docids.size()) {
    std::vector<double> of_rank(pool.depth);
    double sum = 0;
    for (std::size_t rank = pool.depth; rank-- > 0;) of_rank[rank] = (sum += 1 / static_cast<double>(rank + 1)) / 2;
    for (std::uint32_t run = 0; run < pool.runs.size(); ++run) {
      for (std::size_t rank = 0; rank < pool.runs[run].size(); ++rank) {
        const auto document = pool.runs[run][rank];
        if (document != kNotPooled) losses_[document].push_back({run, of_rank[rank]});
      }
    }
  }

  std::optional<std::uint32_t> next() override {
    if (document_ || losses_.empty()) return document_;
    // Only the ratios of weights matter. The largest becomes 1, so that none overflows.
    const double highest = *std::max_element(log_weights_.begin(), log_weights_.end());
    std::vector<double> weights;
    for (const double log_weight : log_weights_) weights.push_back(std::exp(log_weight - highest));
    double best = -1;
    for (std::uint32_t document = 0; document < losses_.size(); ++document) {
      if (judged_[document]) continue;
      double mixture = 0;
      for (const auto& [run, loss] : losses_[document]) mixture += weights[run] * loss;
      if (mixture > best) {
        best = mixture;
        document_ = document;
      }
    }
    return document_;
  }

  void judge(bool relevant) override {
    judged_[*document_] = true;
    for (const auto& [run, loss] : losses_[*document_]) log_weights_[run] += (relevant ? -loss : loss) * log_beta_;
    document_.reset();
  }

 private:
  struct RunLoss {
    std::uint32_t run;
    double loss;  ///< if the document is not relevant
  };
  double log_beta_;
  std::vector<double> log_weights_;
  std::vector<std::vector<RunLoss>> losses_;  ///< of each document
  std::vector<bool> judged_;
  std::optional<std::uint32_t> document_;
};

}  // namespace

bool is_stochastic(AdjudicationMethod method) noexcept {
  return method != AdjudicationMethod::kTopK && method != AdjudicationMethod::kNtcir &&
         method != AdjudicationMethod::kHedge;
}

std::unique_ptr<Adjudicator> make_adjudicator(const AdjudicationOptions& options, const TopicPool& pool,
                                              std::uint64_t topic_seed) {
  if (!(options.rate >= 0 && options.rate <= 1)) throw ConfigError("the rate of a non-stationary method is 0 to 1");
  if (!(options.hedge_beta > 0 && options.hedge_beta < 1)) {
    throw ConfigError("the beta of hedge lies between 0 and 1, both excluded");
  }
  switch (options.method) {
    case AdjudicationMethod::kTopK:
      return std::make_unique<FixedOrder>(top_k_order(pool, options.budget));
    case AdjudicationMethod::kNtcir:
      return std::make_unique<FixedOrder>(ntcir_order(pool));
    case AdjudicationMethod::kMoveToFront:
      return std::make_unique<MoveToFront>(pool, options.seed, topic_seed);
    case AdjudicationMethod::kHedge:
      return std::make_unique<Hedge>(options.hedge_beta, pool);
    default:
      return std::make_unique<Bandit>(options, pool, topic_seed);
  }
}

}  // namespace touchstone::analysis::adjudication
