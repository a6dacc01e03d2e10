#pragma once

#include "analysis/significance/score_matrix.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// How alike two rankings of systems are. All functions are pure; NaN where a coefficient is undefined.
namespace touchstone::analysis {

/// Pairs of items by how two score lists order them.
struct PairCounts {
  std::uint64_t pairs = 0, concordant = 0, discordant = 0;
  std::uint64_t tied_in_first = 0, tied_in_second = 0, tied_in_both = 0;  ///< the first two include the last
};

/// \pre x.size() == y.size(). O(n log n). Source: W. R. Knight, JASA 1966.
PairCounts count_pairs(std::span<const double> x, std::span<const double> y);

/// Kendall's tau: (C - D) over all pairs, and over the geometric mean of the pairs not tied in x and in y.
double kendall_tau_a(const PairCounts& counts);
double kendall_tau_b(const PairCounts& counts);
/// 100 D / C(n, 2): the percentage of pairs that are swapped.
double error_rate(const PairCounts& counts);

/// AP correlation of the estimated ranking `y` with the true one, `x`: swaps at the top weigh more. Not symmetric. Ties
/// in `y` count as the mean over the ways to break them (tau_AP,a); `x` must have none (else NaN). Without ties it is
/// tau_AP. Higher scores rank first. O(n^2).
/// Sources: E. Yilmaz, J. A. Aslam, S. Robertson, SIGIR 2008; ties: J. Urbano, M. Marrero, ICTIR 2017.
double tau_ap_a(std::span<const double> x, std::span<const double> y);
/// tau_AP,b: symmetric, ties allowed in both. NaN where all items of either are tied.
double tau_ap_b(std::span<const double> x, std::span<const double> y);

/// Pearson's correlation of the mean ranks.
double spearman_rho(std::span<const double> x, std::span<const double> y);

/// Items from the best down; tied items stand in one group, in no order.
using TiedRanking = std::vector<std::vector<std::string>>;
TiedRanking ranking_of(const SystemScores& scores);

/// What tied items mean: kA, an unknown order (mean over all orders); kB, that too, corrected for the information lost,
/// so that a ranking agrees with itself fully; kW, truly the same rank.
enum class RboTies : std::uint8_t { kA, kB, kW };

/// Rank-biased overlap. `extrapolated` goes on with the agreement seen at the end; `minimum` and `maximum` bound what
/// unseen items could do; `residual` is the difference.
struct Rbo {
  double extrapolated = 0, minimum = 0, maximum = 0, residual = 0;
};

/// Rankings may hold different items and be of different length, neither empty. \pre 0 < p < 1: the chance to look one
/// rank further. O(depth x items).
/// Sources: W. Webber, A. Moffat, J. Zobel, TOIS 2010; ties: M. Corsi, J. Urbano, SIGIR 2024.
Rbo rank_biased_overlap(const TiedRanking& a, const TiedRanking& b, double p, RboTies ties = RboTies::kA);

/// Mean over depths 1 ... `depth` (0: the shorter's length) of the share of items that both rankings have down to
/// there; ties as kA.
double average_overlap(const TiedRanking& a, const TiedRanking& b, std::size_t depth = 0);

/// A pair as one evaluation sees it: `difference` of first minus second.
struct SystemRelation {
  double difference = 0;
  double p_value = 1;
};

/// Pairs by how the two order them; a difference of 0 is a tie.
PairCounts count_pairs(std::span<const SystemRelation> first, std::span<const SystemRelation> second);

/// Share of the reference's significant pairs (p <= alpha) that `other` orders alike; NaN if there is none.
/// Source: "concordance of significant relations", R. Rassin et al., "Evaluating D-MERIT of Partial-annotation on
/// Information Retrieval", 2024.
double concordance_of_significant(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                  double alpha);

/// Kendall's tau over those pairs only whose p-value in the reference is at least `low` and less than `high`.
struct PartialTau {
  std::uint64_t pairs = 0, concordant = 0, discordant = 0;
  double tau() const;  ///< (C - D) / pairs
};
PartialTau partial_tau(std::span<const SystemRelation> reference, std::span<const SystemRelation> other, double low,
                       double high);

/// How far two sets of judgments lead to the same decisions. A decision on a pair is active where the test finds it
/// significant. Agreement means that both order the pair alike; equal means contradict no order.
/// Source: D. Otero, J. Parapar, N. Ferro, "How Discriminative Are Your Qrels?", CIKM 2023.
struct DecisionAgreement {
  std::uint64_t active_agreements = 0, active_disagreements = 0;                    ///< significant in both
  std::uint64_t mixed_agreements_reference = 0, mixed_disagreements_reference = 0;  ///< in the reference only
  std::uint64_t mixed_agreements_other = 0, mixed_disagreements_other = 0;          ///< in the other only
  std::uint64_t passive_agreements = 0, passive_disagreements = 0;                  ///< in neither

  std::uint64_t mixed_agreements() const { return mixed_agreements_reference + mixed_agreements_other; }
  std::uint64_t mixed_disagreements() const { return mixed_disagreements_reference + mixed_disagreements_other; }
  double precision() const;  ///< active agreements over what the other finds significant
  double recall() const;     ///< active agreements over what the reference finds significant
  /// Share of the pairs that either finds significant which the two do not both find so, in the same order.
  double publication_bias() const;
};
DecisionAgreement decision_agreement(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                     double alpha);

}  // namespace touchstone::analysis
