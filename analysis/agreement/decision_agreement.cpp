#include "analysis/agreement/decision_agreement.hpp"

#include "analysis/significance/significance.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace touchstone::analysis::agreement {
namespace {

using internal::ratio;

/// Whether the first system (order 1) or the second (order -1) of a pair is significantly better than the other one.
bool is_significantly_better(const SystemRelation& relation, double order, double alpha) {
  return relation.difference * order > 0 && significance::is_significant(relation.p_value, alpha);
}

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

PairCounts count_pairs(std::span<const SystemRelation> first, std::span<const SystemRelation> second) {
  TS_CHECK(first.size() == second.size(), "relations of different pairs");
  PairCounts counts;
  counts.pairs = first.size();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double x = first[i].difference, y = second[i].difference;
    counts.tied_in_first += x == 0;
    counts.tied_in_second += y == 0;
    counts.tied_in_both += x == 0 && y == 0;
    counts.concordant += (x > 0 && y > 0) || (x < 0 && y < 0);
    counts.discordant += (x > 0 && y < 0) || (x < 0 && y > 0);
  }
  return counts;
}

double Concordance::value() const {
  return ratio(static_cast<double>(agreeing), static_cast<double>(ordered_pairs));
}

Concordance concordance(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                        double alpha) {
  TS_CHECK(reference.size() == other.size(), "relations of different pairs");
  Concordance result;
  result.ordered_pairs = 2 * reference.size();
  for (std::size_t i = 0; i < reference.size(); ++i) {
    for (const double order : {1.0, -1.0}) {
      result.agreeing +=
          is_significantly_better(reference[i], order, alpha) == is_significantly_better(other[i], order, alpha);
    }
  }
  return result;
}

std::array<PairBucket, kPairBuckets> pair_buckets(std::span<const SystemRelation> reference,
                                                  std::span<const SystemRelation> other,
                                                  std::span<const double> reference_p_values, double alpha) {
  TS_CHECK(reference.size() == other.size() && reference.size() == reference_p_values.size(),
           "relations of different pairs");
  constexpr std::array<double, kPairBuckets + 1> kEdges = {0, 0.01, 0.05, 1};
  std::array<PairBucket, kPairBuckets> buckets;
  for (std::size_t b = 0; b < kPairBuckets; ++b) {
    std::vector<SystemRelation> first, second;
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const double p = reference_p_values[i];
      const bool is_last = b + 1 == kPairBuckets;
      if (p < kEdges[b] || (!is_last && p >= kEdges[b + 1])) continue;
      first.push_back(reference[i]);
      second.push_back(other[i]);
    }
    buckets[b] = {kEdges[b], kEdges[b + 1], count_pairs(first, second), concordance(first, second, alpha)};
  }
  return buckets;
}

double DecisionAgreement::precision() const {
  return ratio(static_cast<double>(active_agreements),
               static_cast<double>(active_agreements + active_disagreements + mixed_agreements_other +
                                   mixed_disagreements_other));
}

double DecisionAgreement::recall() const {
  return ratio(static_cast<double>(active_agreements),
               static_cast<double>(active_agreements + active_disagreements + mixed_agreements_reference +
                                   mixed_disagreements_reference));
}

double DecisionAgreement::publication_bias() const {
  return 1 - ratio(static_cast<double>(active_agreements),
                   static_cast<double>(active_agreements + active_disagreements + mixed_agreements_other +
                                       mixed_disagreements_other));
}

DecisionAgreement decision_agreement(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                     double alpha) {
  TS_CHECK(reference.size() == other.size(), "relations of different pairs");
  DecisionAgreement result;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const bool alike = reference[i].difference * other[i].difference >= 0;
    const bool in_reference = significance::is_significant(reference[i].p_value, alpha),
               in_other = significance::is_significant(other[i].p_value, alpha);
    if (in_reference && in_other) {
      ++(alike ? result.active_agreements : result.active_disagreements);
    } else if (in_reference) {
      ++(alike ? result.mixed_agreements_reference : result.mixed_disagreements_reference);
    } else if (in_other) {
      ++(alike ? result.mixed_agreements_other : result.mixed_disagreements_other);
    } else {
      ++(alike ? result.passive_agreements : result.passive_disagreements);
    }
  }
  return result;
}

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
