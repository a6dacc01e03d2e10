#include "analysis/adjudication/methods.hpp"

#include <algorithm>
#include <cmath>

namespace touchstone::analysis::adjudication::internal {
namespace {

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

std::unique_ptr<Adjudicator> make_hedge(double beta, const TopicPool& pool) {
  return std::make_unique<Hedge>(beta, pool);
}

}  // namespace touchstone::analysis::adjudication::internal
