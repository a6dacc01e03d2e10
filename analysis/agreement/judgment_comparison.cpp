#include "analysis/agreement/judgment_comparison.hpp"

#include <algorithm>
#include <cmath>
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

/// p-values of the paired t test without correction, in the order of the pairs of `comparison`.
std::vector<double> t_test_p_values(const statistics::ScoreMatrix& scores, const Comparison& comparison) {
  auto options = comparison.options;
  options.test = significance::SignificanceTest::kTTest;
  options.correction = significance::Correction::kNone;
  std::vector<double> p_values;
  for (const auto& pair : compare_systems(scores, options).pairs) p_values.push_back(pair.raw_p_value);
  return p_values;
}

}  // namespace

JudgmentComparison compare_judgments(const statistics::ScoreMatrix& reference_scores, const Comparison& reference,
                                     const statistics::ScoreMatrix& other_scores) {
  JudgmentComparison result;
  result.source = other_scores.source;
  result.topics = other_scores.topics.size();
  result.other = compare_systems(statistics::select_systems(other_scores, reference_scores.systems), reference.options);
  const auto first = relations(reference), second = relations_as(reference, result.other);
  result.pairs = count_pairs(first, second);
  result.decisions = decision_agreement(first, second, reference.options.alpha);
  result.concordance = concordance(first, second, reference.options.alpha);
  result.buckets = pair_buckets(first, second, t_test_p_values(reference_scores, reference), reference.options.alpha);
  return result;
}

}  // namespace touchstone::analysis::agreement
