#include "analysis/agreement/judgment_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace touchstone::analysis::agreement {
namespace {

using significance::Comparison;

/// Means that differ by rounding alone are a tie.
SystemRelation relation(double difference, double p_value) {
  return {std::abs(difference) <= statistics::kEqualScores ? 0 : difference, p_value};
}

std::vector<SystemRelation> relations(const Comparison& comparison) {
  std::vector<SystemRelation> result;
  for (const auto& pair : comparison.pairs) result.push_back(relation(pair.difference, pair.p_value));
  return result;
}

/// What `other` says of the reference's pairs, in their order, first minus second as there.
std::vector<SystemRelation> relations_as(const Comparison& reference, const Comparison& other) {
  std::vector<std::size_t> rank(other.ranking.size());
  for (std::size_t r = 0; r < rank.size(); ++r) rank[other.ranking[r]] = r;
  std::vector<SystemRelation> result;
  for (const auto& pair : reference.pairs) {
    const std::size_t first = rank[pair.first], second = rank[pair.second];
    const auto& found = other.at_ranks(std::min(first, second), std::max(first, second));
    result.push_back(relation(other.means[pair.first] - other.means[pair.second], found.p_value));
  }
  return result;
}

}  // namespace

JudgmentComparison compare_judgments(const statistics::ScoreMatrix& reference_scores, const Comparison& reference,
                                     const statistics::ScoreMatrix& other_scores) {
  JudgmentComparison result;
  result.other = compare_systems(statistics::select_systems(other_scores, reference_scores.systems), reference.options);
  const auto first = relations(reference), second = relations_as(reference, result.other);
  result.pairs = count_pairs(first, second);
  result.decisions = decision_agreement(first, second, reference.options.alpha);
  result.concordance = concordance_of_significant(first, second, reference.options.alpha);
  result.below_01 = partial_tau(first, second, 0, 0.01);
  result.below_05 = partial_tau(first, second, 0.01, 0.05);
  result.from_05 = partial_tau(first, second, 0.05, std::numeric_limits<double>::infinity());
  return result;
}

}  // namespace touchstone::analysis::agreement
