#pragma once

#include "analysis/statistics/distributions.hpp"
#include "analysis/studies/partial/evidence_labels.hpp"
#include "common/progress.hpp"
#include "common/stop.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace touchstone::analysis::studies::partial {

/// A statistic over repeated selections; `count` is 1 for a selection that is made once.
struct OutcomeSpread {
  statistics::Spread tau_a, tau_b, discordant, error_rate, concordance;
  struct Bucket {
    double p_min = 0, p_max = 1;
    /// Pairs of the bucket that were compared. Samples differ where a base system leaves the comparison.
    statistics::Spread pairs;
    /// The means of the rates are over all compared pairs of all samples: error_rate.mean is discordant.mean as a
    /// percentage of pairs.mean. Their other numbers are over the samples that have pairs.
    statistics::Spread partial_tau, discordant, error_rate, concordance;
  };
  std::array<Bucket, agreement::kPairBuckets> buckets;
};
OutcomeSpread spread_of_outcomes(const std::vector<Outcome>& outcomes);

struct SelectionNumbers {
  std::string selection;    ///< "longest"
  std::size_t samples = 1;  ///< random selections, or base systems
  OutcomeSpread spread;
  std::vector<double> means{};  ///< [systems]: the mean over the samples
};

/// One base system of the system-based selection.
struct BaseSystem {
  std::string system;
  std::size_t topics = 0;  ///< where it retrieves evidence
  Outcome outcome;
};

/// How the agreement grows with the share of evidence that is labelled.
struct Curve {
  std::string order;  ///< as SelectionNumbers::selection
  std::size_t samples = 1;
  std::vector<OutcomeSpread> at;  ///< [fractions]
};

struct PartialNumbers {
  std::string measure;
  std::size_t relevant = 0, topics = 0;  ///< evidence, and topics that have some
  std::vector<std::string> systems;
  std::vector<double> reference_means;  ///< [systems] by all labels
  std::vector<SelectionNumbers> selections;
  std::vector<BaseSystem> base_systems;
  std::vector<double> fractions;
  std::vector<Curve> curves;
};

/// What to compute.
struct PartialPlan {
  std::uint64_t seed = 1;
  std::size_t random = 1000, random_curves = 50;
  std::vector<std::size_t> base_systems;  ///< empty: no system-based selection
  std::vector<double> fractions;          ///< ascending, in [0, 1]; empty: no curves
  /// Numbers by docid; null: the selections that need them are left out.
  const std::unordered_map<std::string, std::uint64_t>* lengths = nullptr;
  const std::unordered_map<std::string, std::uint64_t>* popularity = nullptr;
};

/// Units of progress that partial_numbers() counts.
std::size_t work_of(const PartialPlan& plan);

/// Uses the threads of the caller's arena; the result does not depend on their number.
PartialNumbers partial_numbers(const EvidenceLabels& labels, const PartialPlan& plan, ProgressCounters& progress,
                               const StopFlag& stop);

}  // namespace touchstone::analysis::studies::partial
