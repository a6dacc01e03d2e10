#pragma once

#include "analysis/agreement/decision_agreement.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/studies/adjudication/simulation.hpp"
#include "analysis/studies/finished_parts.hpp"
#include "common/progress.hpp"
#include "common/stop.hpp"

#include <string>
#include <utility>
#include <vector>

namespace touchstone::analysis::studies::adjudication {

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

}  // namespace touchstone::analysis::studies::adjudication
