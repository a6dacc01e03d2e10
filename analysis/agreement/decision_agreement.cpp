#include "analysis/agreement/decision_agreement.hpp"

#include "common/error.hpp"

namespace touchstone::analysis::agreement {
namespace {

using internal::ratio;

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

double concordance_of_significant(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                  double alpha) {
  TS_CHECK(reference.size() == other.size(), "relations of different pairs");
  double significant = 0, concordant = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (reference[i].p_value > alpha) continue;
    ++significant;
    concordant += reference[i].difference * other[i].difference > 0;
  }
  return ratio(concordant, significant);
}

double PartialTau::tau() const {
  return ratio(static_cast<double>(concordant) - static_cast<double>(discordant), static_cast<double>(pairs));
}

PartialTau partial_tau(std::span<const SystemRelation> reference, std::span<const SystemRelation> other, double low,
                       double high) {
  TS_CHECK(reference.size() == other.size(), "relations of different pairs");
  PartialTau result;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (reference[i].p_value < low || reference[i].p_value >= high) continue;
    ++result.pairs;
    const double product = reference[i].difference * other[i].difference;
    result.concordant += product > 0;
    result.discordant += product < 0;
  }
  return result;
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
  return 1 -
         ratio(static_cast<double>(active_agreements), static_cast<double>(active_agreements + active_disagreements +
                                                                           mixed_agreements() + mixed_disagreements()));
}

DecisionAgreement decision_agreement(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                     double alpha) {
  TS_CHECK(reference.size() == other.size(), "relations of different pairs");
  DecisionAgreement result;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const bool alike = reference[i].difference * other[i].difference >= 0;
    const bool in_reference = reference[i].p_value <= alpha, in_other = other[i].p_value <= alpha;
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
