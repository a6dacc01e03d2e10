#pragma once

#include "analysis/studies/reannotation/assessor_grades.hpp"
#include "common/progress.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::analysis::studies::reannotation {

// Assessors as systems. Source: "Variations in Relevance Judgments and the Shelf Life of Test Collections" (2025),
// sections 3.3 (Annotators as Oracles) and 4.7, table 6.

/// A run made of the new assessors' grades, scored by the original qrels.
struct OracleRun {
  std::string name;                ///< "min", "mean" or "max": how several grades of a passage become one
  double score = 0;                ///< mean over topics
  double half_width = 0;           ///< of the 95 % interval of the score (Student's t over topics); NaN for one topic
  std::vector<double> by_topic{};  ///< mean over random orders of passages with equal grades
};

/// 95 % interval of a difference, from its distribution over topics (Student's t).
struct DifferenceInterval {
  double low = 0, high = 0;
};

/// A system against the oracle runs.
struct SystemAgainstOracles {
  double score = 0, judged_only = 0;             ///< the latter without passages that the original qrels lack
  double half_width = 0, judged_half_width = 0;  ///< as OracleRun::half_width
  std::vector<double> p_values, p_judged{};  ///< paired t test against each oracle, times systems x oracles, at most 1
  std::vector<DifferenceInterval> intervals{};  ///< of each oracle's score minus the system's, without correction
};

struct OracleNumbers {
  std::vector<OracleRun> oracles;  ///< min, mean, max
  std::vector<SystemAgainstOracles> systems;
  std::size_t relevant_unseen = 0;  ///< relevant passages of these topics that no new assessor judged
  std::size_t topics = 0;           ///< judged by a new assessor and with a defined score of each run
};

/// All judged passages of a topic are ranked by the lowest, the mean or the highest grade of those new assessors who
/// judged them. Passages that only the original assessor judged rank as grade 0, because the original grade would help
/// the oracles. Topics that no new assessor judged are left out for the systems too.
/// \param shuffles  random orders of passages with equal grades
OracleNumbers oracle_numbers(const JudgedRuns& runs, const AssessorGrades& grades, const measures::LabelScorer& scorer,
                             std::size_t shuffles, std::uint64_t seed);

struct Spread {
  double mean = 0, low = 0, high = 0;
};

/// How other labels order the systems.
struct OrderStability {
  bool sampled = false;                     ///< not all combinations: there were more than the bound
  std::vector<std::vector<double>> scores;  ///< [sample][system]
  Spread tau_b, rho, average_overlap;       ///< against the order by the original labels
};

struct StabilityPlan {
  std::size_t combinations = 1000, permutations = 1000;
  std::uint64_t seed = 1;
};

/// Labels of all combinations of one assessor for each block of topics, or of `plan.combinations` random ones where
/// there are more. Passages that the chosen assessor did not judge keep their original grade.
/// Source: "Variations in Relevance Judgments and the Shelf Life of Test Collections" (2025), 4.1 and table 5.
OrderStability combination_stability(const JudgedRuns& runs, const AssessorGrades& grades,
                                     const measures::LabelScorer& scorer, const StabilityPlan& plan,
                                     ProgressCounters& progress, const StopFlag& stop);

/// Each passage gets the grade of a random one of those who judged it, the original assessor among them.
/// Source: the same, section 3.1, after Voorhees (2000).
OrderStability permutation_stability(const JudgedRuns& runs, const AssessorGrades& grades,
                                     const measures::LabelScorer& scorer, const StabilityPlan& plan,
                                     ProgressCounters& progress, const StopFlag& stop);

/// Means of the systems by the original labels.
std::vector<double> original_scores(const JudgedRuns& runs, const measures::LabelScorer& scorer);

/// How often two systems change places.
struct SwapPair {
  std::size_t first = 0, second = 0;  ///< `first` has the higher original score, or the lower index
  double difference = 0;              ///< of the original scores
  double probability = 0;             ///< min(B[i][j], B[j][i]) / samples, section 3.1: 0 to .5
};
std::vector<SwapPair> swap_pairs(const std::vector<double>& original, const std::vector<std::vector<double>>& samples);

/// The difference of original scores beyond which orders are stable.
struct StableDifference {
  double difference = 0;     ///< pairs that differ by more are counted in `pairs`
  std::size_t pairs = 0;     ///< 0: no difference is large enough
  std::size_t swapping = 0;  ///< of them, with a probability of a swap of at least alpha
};

/// The smallest difference beyond which a share of at most `alpha` of the pairs swap with a probability of at least
/// `alpha`. A single pair of many therefore does not set it. Pure.
StableDifference stable_difference(std::vector<SwapPair> pairs, double alpha);

/// How a system's rank changes over the combinations.
struct RankChange {
  double original_rank = 0, mean = 0, lowest = 0, highest = 0;  ///< changes: positive is a worse rank
  double original_score = 0, mean_score = 0;
  double p_value = 1;  ///< Wilcoxon signed ranks of the changes, times the number of systems (Bonferroni), at most 1
};
std::vector<RankChange> rank_changes(const std::vector<double>& original,
                                     const std::vector<std::vector<double>>& samples);

}  // namespace touchstone::analysis::studies::reannotation
