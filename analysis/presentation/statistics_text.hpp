#pragma once

#include "analysis/agreement/agreement.hpp"
#include "analysis/agreement/correlation.hpp"
#include "analysis/agreement/reliability.hpp"
#include "analysis/significance/significance.hpp"

#include <cstdint>
#include <string>

/// Results of the statistics as text: `table` for people, TSV and JSON for programs, with all digits. The same result
/// gives the same bytes.
namespace touchstone::analysis {

enum class StatisticsFormat : std::uint8_t { kTable, kTsv, kJson };

/// Two evaluations of the same systems: what the one calls significant, seen by the other.
struct JudgmentComparison {
  Comparison other;
  PairCounts pairs;  ///< of the means
  DecisionAgreement decisions;
  double concordance = 0;  ///< concordance_of_significant()
  /// By the reference's p-value, from 0: below .01, below .05, the rest.
  PartialTau below_01, below_05, rest;
};

/// `other` holds scores of the same systems, from other judgments; they are tested with the reference's options.
/// Throws Error when a system is missing there.
JudgmentComparison compare_judgments(const ScoreMatrix& reference_scores, const Comparison& reference,
                                     const ScoreMatrix& other_scores);

/// The leaderboard, then the pairs (table: if there are at most 45). `judgments` may be null.
std::string comparison_text(const ScoreMatrix& scores, const Comparison& comparison,
                            const JudgmentComparison* judgments, StatisticsFormat format);

/// All coefficients of two rankings of systems.
struct Correlation {
  std::size_t common = 0, only_first = 0, only_second = 0;  ///< systems
  PairCounts pairs;
  double tau_a = 0, tau_b = 0, tau_ap_a = 0, tau_ap_b = 0, spearman = 0, average_overlap = 0;
  double p = 0.9;  ///< of rank-biased overlap
  Rbo rbo_a, rbo_b, rbo_w;
};

/// The first ranking is taken for the true one where that matters (tau_AP). Coefficients of pairs look at the common
/// systems, the overlaps at all. Throws Error when fewer than two systems are common.
Correlation correlate(const SystemScores& first, const SystemScores& second, double p);
std::string correlation_text(const Correlation& correlation, StatisticsFormat format);

struct AgreementOptions {
  int min_grade = 2;  ///< from which on a grade is 1 in the two-grade view
  std::size_t resamples = 1000;
  std::uint64_t seed = 1;
  std::vector<std::string> excluded_topics;
};

/// Coefficients over all grades and over two, with intervals; for each pair of assessors the grade transitions.
std::string agreement_text(const Ratings& ratings, const AgreementOptions& options, StatisticsFormat format);

/// How often each grade was given.
std::string qrels_text(std::span<const formats::trec::QrelRecord> qrels, StatisticsFormat format);

/// \param topics   of the D-study, beside those at hand
/// \param targets  coefficients to reach
std::string reliability_text(const ScoreMatrix& scores, double drop, std::span<const double> topics,
                             std::span<const double> targets, double level, StatisticsFormat format);

}  // namespace touchstone::analysis
