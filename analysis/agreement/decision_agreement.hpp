#pragma once

#include "analysis/agreement/rank_correlation.hpp"

#include <cstdint>
#include <span>

/// Whether two evaluations of the same pairs of systems lead to the same decisions. All functions are pure and
/// thread-safe, and take the same pairs in the same order.
namespace touchstone::analysis::agreement {

/// How one evaluation sees a pair of systems.
struct SystemRelation {
  double difference = 0;  ///< of the means, first minus second; 0 is a tie
  double p_value = 1;
};

/// Counts the pairs by how the two evaluations order them.
PairCounts count_pairs(std::span<const SystemRelation> first, std::span<const SystemRelation> second);

/// Share of the reference's significant pairs (p <= alpha) that `other` orders alike; NaN if no pair is significant.
/// Source: "concordance of significant relations", R. Rassin et al., "Evaluating D-MERIT of Partial-annotation on
/// Information Retrieval", 2024.
double concordance_of_significant(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                  double alpha);

/// Kendall's tau over the pairs whose p-value in the reference is at least `low` and less than `high`.
struct PartialTau {
  std::uint64_t pairs = 0, concordant = 0, discordant = 0;
  double tau() const;  ///< (concordant - discordant) / pairs
};
PartialTau partial_tau(std::span<const SystemRelation> reference, std::span<const SystemRelation> other, double low,
                       double high);

/// Pairs by decision. A decision is active if the test finds the pair significant, passive if not, and mixed if only
/// one of the evaluations does. An agreement is a pair that both order alike; a tie agrees with either order.
/// Source: D. Otero, J. Parapar, N. Ferro, "How Discriminative Are Your Qrels?", CIKM 2023.
struct DecisionAgreement {
  std::uint64_t active_agreements = 0, active_disagreements = 0;                    ///< significant in both
  std::uint64_t mixed_agreements_reference = 0, mixed_disagreements_reference = 0;  ///< only in the reference
  std::uint64_t mixed_agreements_other = 0, mixed_disagreements_other = 0;          ///< only in the other
  std::uint64_t passive_agreements = 0, passive_disagreements = 0;                  ///< in neither

  std::uint64_t mixed_agreements() const { return mixed_agreements_reference + mixed_agreements_other; }
  std::uint64_t mixed_disagreements() const { return mixed_disagreements_reference + mixed_disagreements_other; }
  double precision() const;         ///< active agreements / pairs that are significant in the other
  double recall() const;            ///< active agreements / pairs that are significant in the reference
  double publication_bias() const;  ///< 1 - active agreements / pairs that are significant in either
};
DecisionAgreement decision_agreement(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                     double alpha);

}  // namespace touchstone::analysis::agreement
