#pragma once

#include "analysis/significance/anova.hpp"
#include "analysis/significance/score_matrix.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which differences between systems are more than chance. docs/compare.md says what each test assumes.
namespace touchstone::analysis {

/// All tests are two-sided and paired by topic.
enum class SignificanceTest : std::uint8_t {
  /// Randomised Tukey HSD. Permutes each topic's scores among the systems and takes the largest minus the smallest
  /// mean; p = share of permutations that reach the pair's difference. Controls the error over all pairs. Source: B. A.
  /// Carterette, "Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval Experiments", TOIS
  /// 2012.
  kTukeyHsd,
  kTukeyHsdParametric,  ///< Tukey HSD after a two-way ANOVA without interaction, by the studentised range
  kTTest,
  /// Signed ranks. Differences of 0 are left out, equal ones share their mean rank; exact up to 50 differences, also
  /// with ties; above that normal, with corrections for ties and continuity.
  kWilcoxon,
  kSign,         ///< exact binomial; differences of 0 are left out
  kBootstrap,    ///< bootstrap of the studentised mean difference. Source: T. Sakai, SIGIR 2006
  kPermutation,  ///< Fisher's randomisation of the signs of the differences; exact where 2^topics fits
};

enum class Correction : std::uint8_t { kNone, kBonferroni, kHolm, kBenjaminiHochberg };

struct CompareOptions {
  SignificanceTest test = SignificanceTest::kTukeyHsd;
  Correction correction = Correction::kNone;
  std::uint64_t permutations = 100'000;  ///< or resamples of the bootstrap; p-values are multiples of one over it
  std::uint64_t seed = 1;
  double alpha = 0.05;
  int threads = 0;  ///< 0: all cores; does not change results
};

/// One pair of systems; `first` has the higher mean.
struct PairComparison {
  std::size_t first = 0, second = 0;  ///< indices into the matrix's systems
  double difference = 0;              ///< of the means, >= 0
  double p_value = 1;                 ///< after correction
  double raw_p_value = 1;
  bool significant = false;  ///< p_value <= alpha
  /// Standardised difference: over the root of the residual mean square of the two-way ANOVA for the Tukey tests, over
  /// the standard deviation of the pair's differences for the others. Infinite where that is 0.
  double effect_size = 0;
  /// Interval of the difference at 1 - alpha: simultaneous for the Tukey tests, bootstrap-t for the bootstrap, else of
  /// the paired t test.
  double low = 0, high = 0;
};

struct Comparison {
  CompareOptions options;
  std::vector<double> means;          ///< by system
  std::vector<std::size_t> ranking;   ///< systems by falling mean, equal ones in the matrix's order
  std::vector<PairComparison> pairs;  ///< by rank of the first, then of the second
  std::size_t significant = 0;
  /// Smallest difference of means that is significant at alpha, where one holds for all pairs (Tukey).
  std::optional<double> critical_difference;
  TwoWayAnova anova;
  bool exact = false;  ///< all permutations were enumerated

  /// The pair of the systems at two ranks. \pre better < worse < ranking.size()
  const PairComparison& at_ranks(std::size_t better, std::size_t worse) const;
  /// By rank: whether the system is not significantly worse than the best. The best itself is true.
  std::vector<bool> not_worse_than_best() const;
};

/// Tests every pair of systems. Throws ConfigError for options that do not fit each other or the data (a correction
/// over a Tukey test, fewer than two systems or topics, a permutation count out of 1 ... 2^30).
/// Deterministic: the same options and scores give the same result at any number of threads.
Comparison compare_systems(const ScoreMatrix& scores, const CompareOptions& options);

/// p-values made larger so that they can be compared with alpha though many were looked at. Keeps the order.
std::vector<double> corrected(std::span<const double> p_values, Correction correction);

/// "tukey-hsd", "t-test", ...
std::string_view test_name(SignificanceTest test);
std::string_view correction_name(Correction correction);

}  // namespace touchstone::analysis
