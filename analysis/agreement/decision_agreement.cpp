#include "analysis/agreement/decision_agreement.hpp"

#include "analysis/significance/significance.hpp"
#include "common/error.hpp"

#include <vector>

namespace touchstone::analysis::agreement {
namespace {

using internal::ratio;

/// Whether the first system (order 1) or the second (order -1) of a pair is significantly better than the other one.
bool is_significantly_better(const SystemRelation& relation, double order, double alpha) {
  return relation.difference * order > 0 && significance::is_significant(relation.p_value, alpha);
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

}  // namespace touchstone::analysis::agreement
