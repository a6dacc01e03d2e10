#pragma once

#include "analysis/agreement/rank_correlation.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <array>
#include <cstddef>
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

/// Agreement of two evaluations on the relation "significantly better": the share of ordered pairs of systems (A, B) on
/// which it holds in both or in neither. A pair that only one evaluation finds significant agrees in one of its two
/// orders, a pair that both find significant in opposite orders agrees in none.
/// Source: D-MERIT, R. Rassin et al., "Evaluating D-MERIT of Partial-annotation on Information Retrieval", 2024,
/// appendix D, conc(pi_1, pi_2).
struct Concordance {
  std::uint64_t ordered_pairs = 0, agreeing = 0;
  double value() const;  ///< agreeing / ordered_pairs; NaN if there is no pair
};
/// "Significantly better" means a higher mean and p <= alpha. Of systems with equal means neither is better.
Concordance concordance(std::span<const SystemRelation> reference, std::span<const SystemRelation> other, double alpha);

/// The pairs of systems whose p-value lies in [p_min, p_max); the last bucket includes p_max = 1. The partial tau of
/// the bucket is kendall_tau_a(pairs), its error rate is error_rate(pairs). Source: D-MERIT, section 3.3 and table 4
/// (partial tau, error rate), appendix D and table 7 (concordance). The paper writes the last bucket as [.05, 1); here
/// it holds the pairs of equal systems too, so that each pair is in one bucket.
struct PairBucket {
  double p_min = 0, p_max = 1;
  PairCounts pairs;
  Concordance concordance;
};
inline constexpr std::size_t kPairBuckets = 3;

/// The buckets [0, .01), [.01, .05) and [.05, 1].
/// \param reference_p_values  of the paired t test of each pair on the reference labels, without correction
std::array<PairBucket, kPairBuckets> pair_buckets(std::span<const SystemRelation> reference,
                                                  std::span<const SystemRelation> other,
                                                  std::span<const double> reference_p_values, double alpha);

/// Pairs by decision. A decision is active if the test finds the pair significant, passive if not, and mixed if only
/// one of the evaluations does. An agreement is a pair that both order alike; a tie agrees with either order.
/// The reference has the paper's gold qrels G, the other its low-cost qrels L.
/// Source: D. Otero, J. Parapar, N. Ferro, "How Discriminative Are Your Qrels?", CIKM 2023, section 3.1.
struct DecisionAgreement {
  std::uint64_t active_agreements = 0, active_disagreements = 0;                    ///< significant in both
  std::uint64_t mixed_agreements_reference = 0, mixed_disagreements_reference = 0;  ///< only in the reference
  std::uint64_t mixed_agreements_other = 0, mixed_disagreements_other = 0;          ///< only in the other
  std::uint64_t passive_agreements = 0, passive_disagreements = 0;                  ///< in neither

  std::uint64_t mixed_agreements() const { return mixed_agreements_reference + mixed_agreements_other; }
  std::uint64_t mixed_disagreements() const { return mixed_disagreements_reference + mixed_disagreements_other; }
  double precision() const;  ///< active agreements / pairs that are significant in the other
  double recall() const;     ///< active agreements / pairs that are significant in the reference
  /// 1 - AA / (AA + AD + MA_L + MD_L), section 3.1, "Bias": the share of the other's significant pairs that the
  /// reference finds not significant or orders the other way. Equals 1 - precision(). NaN if the other has none.
  double publication_bias() const;
};
DecisionAgreement decision_agreement(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                     double alpha);

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
