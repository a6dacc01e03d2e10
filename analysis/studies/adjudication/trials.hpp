#pragma once

#include "analysis/adjudication/adjudicator.hpp"
#include "analysis/agreement/decision_agreement.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/studies/judged_runs.hpp"
#include "analysis/studies/study.hpp"
#include "common/options.hpp"
#include "common/progress.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::analysis::studies::adjudication {

namespace methods = analysis::adjudication;
using methods::AdjudicationMethod;

struct AdjudicationStudyOptions {
  std::vector<AdjudicationMethod> methods = all_methods();
  std::int64_t pool_depth = 10;
  std::vector<std::string> budgets = {"10", "30"};
  std::int64_t seeds = 50;
  std::int64_t permutations = 20'000;
  double rate = 0, hedge_beta = 0.1;
  std::vector<std::string> leave_out;

  static std::vector<AdjudicationMethod> all_methods();
  static std::vector<Option<AdjudicationStudyOptions>> options();
};

/// The budgets as numbers, ascending, each once. Throws ConfigError for one that is not a whole number above 0.
std::vector<std::size_t> budgets_of(const AdjudicationStudyOptions& options);

/// The pools of all topics, and judges who know the qrels. Immutable and thread-safe.
class PooledTopics {
 public:
  /// \param runs     must outlive the object
  /// \param pooling  the systems that contribute to the pool
  PooledTopics(const JudgedRuns& runs, std::span<const std::size_t> pooling, std::size_t depth, int min_grade);

  std::size_t documents() const noexcept { return documents_; }
  std::size_t relevant() const noexcept { return relevant_; }

  /// Grades of all documents of the pools: the gold labels.
  const std::vector<measures::TopicLabels>& gold() const noexcept { return gold_; }

  /// The labels that the method collects within its budget.
  struct Collected {
    std::vector<measures::TopicLabels> labels;
    std::size_t judged = 0, relevant = 0;
  };
  Collected collect(const methods::AdjudicationOptions& options) const;

 private:
  struct Topic {
    methods::TopicPool pool;
    std::vector<std::uint32_t> passages;  ///< the number in JudgedRuns of each document of the pool
    std::uint64_t seed = 0;
  };

  const JudgedRuns& runs_;
  int min_grade_;
  std::vector<Topic> topics_;
  std::vector<measures::TopicLabels> gold_;
  std::size_t documents_ = 0, relevant_ = 0;
};

/// The gold labels' view of the systems that are compared.
struct GoldView {
  const measures::LabelScorer& scorer;
  std::vector<std::string> systems;  ///< the compared ones
  statistics::ScoreMatrix scores;
  significance::Comparison comparison;
};

/// One run of a method with one budget, against the gold labels.
struct Trial {
  std::uint64_t judged = 0, relevant = 0;
  double tau = 0;     ///< tau_a of the means, section 3.1
  double tau_ap = 0;  ///< with the gold ranking as the true one
  agreement::DecisionAgreement decisions;
  /// Of each pair in a mixed agreement, both systems: the rank in the gold ranking from 0, and the difference of the
  /// scores by the collected labels, negative for the system that they score lower (section 5.2, figure 1).
  std::vector<std::pair<std::size_t, double>> mixed;
};

/// The trials of a method with a budget: one for each seed, or one if the method draws nothing.
struct MethodTrials {
  AdjudicationMethod method{};
  std::size_t budget = 0;
  std::vector<Trial> trials;
};

/// What the trials of one measure need.
struct TrialSetup {
  const JudgedRuns& runs;
  const PooledTopics& pools;
  const GoldView& gold;
  const AdjudicationStudyOptions& options;
  std::uint64_t seed = 1;
};

/// Runs the method with each budget and seed. Reads and writes a finished part for each of them.
std::vector<MethodTrials> run_method(const TrialSetup& setup, AdjudicationMethod method,
                                     const std::vector<std::size_t>& budgets, FinishedParts& parts,
                                     ProgressCounters& progress, const StopFlag& stop);

/// Number of trials of a method with one budget.
std::size_t trial_count(AdjudicationMethod method, const AdjudicationStudyOptions& options);

/// The scores by `labels` of the systems `systems`.
statistics::ScoreMatrix score_systems(const JudgedRuns& runs, const measures::LabelScorer& scorer,
                                      const std::vector<measures::TopicLabels>& labels,
                                      const std::vector<std::string>& systems);

/// Means over the trials of a method with a budget; counts have fractions.
struct TrialMeans {
  AdjudicationMethod method{};
  std::size_t budget = 0, trials = 0;
  double judged = 0, relevant = 0;
  double tau = 0, tau_deviation = 0;  ///< the standard deviation over trials; 0 for one trial
  double tau_ap = 0;
  double precision = 0, recall = 0, bias = 0;  ///< of the trials that have a value; NaN if none has
  double aa = 0, ad = 0, ma_gold = 0, ma_collected = 0, md_gold = 0, md_collected = 0;
};
TrialMeans means_of(const MethodTrials& trials);

/// The differences of pairs in mixed agreements (Trial::mixed) at neighbouring ranks of the gold ranking, from 1.
struct MixedPoint {
  std::size_t first_rank = 0, last_rank = 0, differences = 0;
  double minimum = 0, quartile_1 = 0, median = 0, quartile_3 = 0, maximum = 0;
};

/// Over all trials, three ranks a point as in the paper's figure 1. Ranks without a difference are left out.
std::vector<MixedPoint> mixed_points(const MethodTrials& method);

}  // namespace touchstone::analysis::studies::adjudication
