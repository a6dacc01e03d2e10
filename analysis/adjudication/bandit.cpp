#include "analysis/adjudication/beta_sampler.hpp"
#include "analysis/adjudication/methods.hpp"
#include "analysis/adjudication/run_cursors.hpp"

namespace touchstone::analysis::adjudication::internal {
namespace {

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
    return draw_beta(1 + record.relevant, 1 + record.not_relevant, random_);
  }

  RunCursors cursors_;
  std::vector<RunRecord> records_;
  std::vector<std::vector<std::uint32_t>> holders_;  ///< runs that hold each document
  statistics::Random random_;
  bool draws_ = false;
  double rate_ = 1;
  std::optional<std::uint32_t> document_;
};

}  // namespace

std::unique_ptr<Adjudicator> make_bandit(const AdjudicationOptions& options, const TopicPool& pool,
                                         std::uint64_t topic_seed) {
  return std::make_unique<Bandit>(options, pool, topic_seed);
}

}  // namespace touchstone::analysis::adjudication::internal
