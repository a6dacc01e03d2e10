#pragma once

#include "analysis/statistics/score_matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// Tests which systems differ significantly. docs/compare.md says what each test assumes.
namespace touchstone::analysis::significance {

/// Two-way analysis of variance of systems crossed with topics. Each cell has one score, so the residual is the
/// interaction together with the error.
struct TwoWayAnova {
  double mean_square_systems = 0, mean_square_topics = 0, mean_square_residual = 0;
  double df_systems = 0, df_topics = 0, df_residual = 0;
  double f_systems = 0, p_systems = 0;  ///< of the hypothesis that all systems are equal
};

/// \pre at least two systems and two topics. Pure and thread-safe; O(systems x topics).
TwoWayAnova two_way_anova(const statistics::ScoreMatrix& scores);

/// All tests are two-sided and paired by topic.
enum class SignificanceTest : std::uint8_t {
  /// Randomised Tukey HSD. Permutes each topic's scores among the systems and takes the largest minus the smallest
  /// mean. The p-value is (k + 1) / (B + 1) if k of B permutations reach the pair's difference. Controls the
  /// family-wise error
  /// over all pairs. Source: B. A. Carterette, "Multiple Testing in Statistical Analysis of Systems-Based Information
  /// Retrieval Experiments", TOIS 2012.
  kTukeyHsd,
  /// Tukey HSD after a two-way ANOVA without interaction, by the studentised range.
  kTukeyHsdParametric,
  /// Paired t test.
  kTTest,
  /// Wilcoxon's signed ranks. Differences of 0 are left out, equal differences share their mean rank. Exact up to 50
  /// differences, also with ties; above that the normal approximation with corrections for ties and continuity.
  kWilcoxon,
  /// Exact binomial test of the signs. Differences of 0 are left out.
  kSign,
  /// Bootstrap of the studentised mean difference. Source: T. Sakai, SIGIR 2006.
  kBootstrap,
  /// Fisher's randomisation of the signs of the differences. Exact if there are at least 2^topics permutations.
  kPermutation,
};

/// Corrections for many tests.
enum class Correction : std::uint8_t { kNone, kBonferroni, kHolm, kBenjaminiHochberg };

/// Names on the command line and in the output, sorted. A value with several names is printed by the first.
inline constexpr std::pair<std::string_view, SignificanceTest> kSignificanceTests[] = {
    {"bootstrap", SignificanceTest::kBootstrap}, {"permutation", SignificanceTest::kPermutation},
    {"sign", SignificanceTest::kSign},           {"t-test", SignificanceTest::kTTest},
    {"tukey-hsd", SignificanceTest::kTukeyHsd},  {"tukey-hsd-parametric", SignificanceTest::kTukeyHsdParametric},
    {"wilcoxon", SignificanceTest::kWilcoxon}};
inline constexpr std::pair<std::string_view, Correction> kCorrections[] = {
    {"benjamini-hochberg", Correction::kBenjaminiHochberg},
    {"bh", Correction::kBenjaminiHochberg},
    {"bonferroni", Correction::kBonferroni},
    {"holm", Correction::kHolm},
    {"none", Correction::kNone}};
std::string_view test_name(SignificanceTest test);
std::string_view correction_name(Correction correction);

/// Whether the test draws permutations or resamples, and so depends on their number and seed.
bool is_sampled(SignificanceTest test);

/// Whether the test controls the family-wise error over all pairs by itself: Tukey's.
bool is_for_all_pairs(SignificanceTest test);

/// Whether a p-value is at most `alpha`. Both are results of rounding, so that a p-value that exceeds alpha by less
/// than a billionth of it counts as equal: each way to compute the same test decides alike.
inline bool is_significant(double p_value, double alpha) {
  return p_value <= alpha * (1 + 1e-9);
}

struct CompareOptions {
  SignificanceTest test = SignificanceTest::kTukeyHsd;
  Correction correction = Correction::kNone;
  std::uint64_t permutations = 100'000;  ///< B, or resamples; sampled p-values are multiples of 1 / (B + 1)
  std::uint64_t seed = 1;
  double alpha = 0.05;
  int threads = 0;  ///< 0: all cores; results do not depend on it
};

/// Two systems, as indices into the matrix.
struct SystemPair {
  std::size_t first, second;
};

/// The test of one pair of systems. Differences are first minus second.
struct PairTest {
  double p_value = 1;  ///< after correction
  double raw_p_value = 1;
  bool significant = false;  ///< p_value <= alpha
  /// Standardised difference. The Tukey tests divide by the root of the residual mean square of the two-way ANOVA, the
  /// others by the standard deviation of the pair's differences. Infinite if that is 0.
  double effect_size = 0;
  /// Confidence interval of the difference (Comparison::intervals): bootstrap-t for the bootstrap, else of the paired t
  /// test; for the Tukey tests the difference plus and minus the critical difference. Infinite if the resamples of the
  /// bootstrap are too few for the level.
  double low = 0, high = 0;
  double fcr_low = 0, fcr_high = 0;  ///< as `low` and `high`, at IntervalKind::fcr_alpha
};

/// One pair of systems; `first` has the higher mean.
struct PairComparison : PairTest {
  std::size_t first = 0, second = 0;  ///< indices into the matrix's systems
  double difference = 0;              ///< of the means, >= 0
};

/// What the intervals of the differences cover.
struct IntervalKind {
  double alpha = 0.05;        ///< each interval by itself covers its difference at 1 - alpha
  bool simultaneous = false;  ///< all intervals together do so at 1 - CompareOptions::alpha
  /// Under Benjamini-Hochberg: alpha R / pairs for R significant pairs, R at least 1. Intervals at 1 - fcr_alpha match
  /// the decisions, and of those of the significant pairs an expected share of at most CompareOptions::alpha misses its
  /// difference (the false coverage rate). As for the correction, independent or positively dependent tests are
  /// assumed. Source: Y. Benjamini, D. Yekutieli, "False Discovery Rate-Adjusted Multiple Confidence Intervals for
  /// Selected Parameters", JASA 2005.
  std::optional<double> fcr_alpha{};
};

struct Comparison {
  CompareOptions options;
  std::vector<double> means;          ///< by system
  std::vector<std::size_t> ranking;   ///< systems by descending mean; ties in the matrix's order
  std::vector<PairComparison> pairs;  ///< by rank of the first, then by rank of the second
  std::size_t significant = 0;        ///< number of significant pairs
  /// Simultaneous for the Tukey tests and with a correction. Bonferroni, Holm and Benjamini-Hochberg share Bonferroni's
  /// intervals, at 1 - alpha / pairs; a pair that only one of the last two finds significant has an interval that
  /// contains 0. Simultaneous intervals that match Holm's decisions say little about the pairs that it finds
  /// significant (W. Brannath, L. Kluge, M. Scharpenberg, "Informative simultaneous confidence intervals for graphical
  /// test procedures", 2024, section 1).
  IntervalKind intervals;
  /// A pair is significant exactly if its difference of means is larger. Only the Tukey tests have one that holds for
  /// all pairs.
  std::optional<double> critical_difference;
  TwoWayAnova anova;
  bool exact = false;  ///< all permutations were enumerated

  /// The pair of the systems at two ranks. \pre better < worse < ranking.size()
  const PairComparison& at_ranks(std::size_t better, std::size_t worse) const;
  /// The pair of two systems in either order. \pre they differ
  const PairComparison& of(std::size_t system, std::size_t other) const;
  /// By rank: whether the system is not significantly worse than the best. True for the best itself.
  std::vector<bool> not_worse_than_best() const;
};

/// Throws ConfigError for options that do not fit each other, whatever the scores: a correction of a Tukey test,
/// permutations outside 1 ... 2^30, alpha outside (0, 1).
void check_options(const CompareOptions& options);

/// Tests every pair of systems. The same options and scores give the same result at any number of threads. Throws
/// ConfigError as check_options(), for fewer than two systems or topics, and for permutations that are too few for a
/// p-value of alpha.
Comparison compare_systems(const statistics::ScoreMatrix& scores, const CompareOptions& options);

/// On how many topics one system scores higher, lower and the same as another.
struct Wins {
  std::size_t won = 0, lost = 0, tied = 0;
};
Wins count_wins(const statistics::ScoreMatrix& scores, std::size_t system, std::size_t other);

/// p-values corrected for many tests, in the same order.
std::vector<double> corrected(std::span<const double> p_values, Correction correction);

/// How a system differs from the baseline: system minus baseline.
struct AgainstBaseline : PairTest {
  std::size_t system = 0;  ///< index into the matrix's systems
  double difference = 0;   ///< of the means
  Wins wins;
};

/// All other systems against one.
struct BaselineComparison {
  CompareOptions options;
  std::size_t baseline = 0;
  std::vector<double> means;             ///< by system
  std::vector<std::size_t> ranking;      ///< systems by descending mean; ties in the matrix's order
  std::vector<AgainstBaseline> systems;  ///< by rank, without the baseline
  std::size_t significant = 0;
  IntervalKind intervals;  ///< under a correction at 1 - alpha / (systems - 1)
  bool exact = false;

  /// The system's row; null for the baseline.
  const AgainstBaseline* of(std::size_t system) const;
};

/// Throws ConfigError for the tests of Tukey, which are for all pairs.
void check_baseline_test(SignificanceTest test);

/// Tests each system against the baseline. Corrections are over the k - 1 pairs of k systems. Throws ConfigError as
/// compare_systems() and check_baseline_test().
BaselineComparison compare_with_baseline(const statistics::ScoreMatrix& scores, std::size_t baseline,
                                         const CompareOptions& options);

/// What the paired t test decides about two systems.
struct PairDecision {
  double difference = 0;  ///< of the means, first minus second; 0 if rounding alone could explain it
  bool significant = false;
};

/// The decisions of the two-sided paired t test without correction for all pairs (0, 1), (0, 2), ..., (1, 2), ...
/// The same as compare_systems() decides, for studies that ask very often: it needs no p-values.
/// \param values  [systems][topics], row-major
/// \return        nothing is significant for fewer than two topics, and without a topic all differences are 0
std::vector<PairDecision> t_test_decisions(std::span<const double> values, std::size_t systems, std::size_t topics,
                                           double alpha);

}  // namespace touchstone::analysis::significance
