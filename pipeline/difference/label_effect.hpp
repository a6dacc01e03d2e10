#pragma once

#include "analysis/agreement/rank_correlation.hpp"
#include "analysis/statistics/percentiles.hpp"
#include "pipeline/difference/label_changes.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::difference {

/// What the new labels alone change for a system: its run stays the same.
struct SystemChange {
  std::string system;
  double old_score = 0, new_score = 0;  ///< means over the topics
  /// 95 % interval of new_score - old_score: the studentised bootstrap over topics. NaN with a single topic; infinite
  /// if too few topics differ.
  double low = 0, high = 0;
  std::size_t old_rank = 0, new_rank = 0;  ///< from 1; systems with equal scores share the better rank
  /// 95 % interval of new_rank - old_rank: the percentile bootstrap over topics. NaN with a single topic.
  double rank_low = 0, rank_high = 0;
};

/// The same for one measure.
struct MeasureEffect {
  std::string measure;
  std::vector<SystemChange> systems;  ///< by old rank, then name
  analysis::agreement::PairCounts pairs;
  analysis::statistics::Interval tau_b;  ///< as that of the ranks
};

struct LabelEffect {
  std::size_t topics = 0;        ///< in both collections and in all runs
  std::uint64_t new_labels = 0;  ///< of these topics, that are left out: their passages are not in the old collection
  std::vector<MeasureEffect> measures;
};

struct LabelEffectOptions {
  std::vector<std::string> runs;      ///< of systems over the old collection
  std::vector<std::string> measures;  ///< as `evaluate` names them
  int min_grade = 1;
};

/// Scores runs over the old collection by its labels, and by those of the new collection for the same passages. Uses
/// the threads of the caller's TBB arena. Throws as analysis::studies::JudgedRuns does, and ConfigError if no topic of
/// the runs is in both collections.
LabelEffect label_effect(const Comparison& comparison, const LabelEffectOptions& options);

}  // namespace touchstone::pipeline::difference
