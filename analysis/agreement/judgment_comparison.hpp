#pragma once

#include "analysis/agreement/decision_agreement.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <array>
#include <cstddef>

namespace touchstone::analysis::agreement {

/// The same systems evaluated with other judgments, against a reference.
struct JudgmentComparison {
  statistics::ScoreSource source;  ///< of the other scores
  std::size_t topics = 0;          ///< of the other scores
  significance::Comparison other;
  PairCounts pairs;  ///< by the order of the means
  DecisionAgreement decisions;
  Concordance concordance;
  /// By the p-value of the paired t test on the reference scores, whatever test the comparison uses.
  std::array<PairBucket, kPairBuckets> buckets;
};

/// Tests `other_scores`, which come from other judgments, with the reference's options and compares the outcomes.
/// Throws Error if a system of the reference is missing, and as significance::compare_systems().
JudgmentComparison compare_judgments(const statistics::ScoreMatrix& reference_scores,
                                     const significance::Comparison& reference,
                                     const statistics::ScoreMatrix& other_scores);

}  // namespace touchstone::analysis::agreement
