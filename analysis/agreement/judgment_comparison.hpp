#pragma once

#include "analysis/agreement/decision_agreement.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

namespace touchstone::analysis::agreement {

/// The same systems evaluated with other judgments, against a reference.
struct JudgmentComparison {
  significance::Comparison other;
  PairCounts pairs;  ///< by the order of the means
  DecisionAgreement decisions;
  double concordance = 0;                  ///< concordance_of_significant()
  PartialTau below_01, below_05, from_05;  ///< p-value of the reference below .01, from there below .05, from .05
};

/// Tests `other_scores`, which come from other judgments, with the reference's options and compares the outcomes.
/// Throws Error if a system of the reference is missing, and as significance::compare_systems().
JudgmentComparison compare_judgments(const statistics::ScoreMatrix& reference_scores,
                                     const significance::Comparison& reference,
                                     const statistics::ScoreMatrix& other_scores);

}  // namespace touchstone::analysis::agreement
