#pragma once

#include "analysis/agreement/coefficients.hpp"
#include "analysis/agreement/decision_agreement.hpp"
#include "analysis/agreement/rank_correlation.hpp"
#include "analysis/agreement/reliability.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"
#include "formats/trec/qrels.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// Statistics as text. Every text names the program's version, the files and the measure. The same statistics give the
/// same bytes. All functions are pure.
namespace touchstone::analysis::presentation {

enum class StatisticsFormat : std::uint8_t {
  kTable,  ///< aligned columns with four decimals, for people
  kTsv,    ///< one table with all digits, for programs
  kJson,   ///< everything with all digits, for programs
};
inline constexpr std::pair<std::string_view, StatisticsFormat> kStatisticsFormats[] = {
    {"table", StatisticsFormat::kTable}, {"tsv", StatisticsFormat::kTsv}, {"json", StatisticsFormat::kJson}};

using significance::SystemPair;

/// The ranking of the systems and the tests of their pairs; a table lists up to 45 pairs. `judgments` may be null; TSV
/// has them in the comments of its head. A `pair` adds to the table how its two systems differ, with wins, losses and
/// ties over topics.
std::string comparison_text(const statistics::ScoreMatrix& scores, const significance::Comparison& comparison,
                            const agreement::JudgmentComparison* judgments, StatisticsFormat format,
                            std::optional<SystemPair> pair = std::nullopt);

/// Each system against the baseline, with wins, losses and ties over topics.
std::string baseline_text(const statistics::ScoreMatrix& scores, const significance::BaselineComparison& comparison,
                          StatisticsFormat format);

/// All coefficients of two rankings.
std::string correlation_text(const agreement::Correlation& correlation, StatisticsFormat format);

/// Coefficients with intervals over all grades and over two. Tables and JSON add the grades that each assessor gave,
/// and the grade transitions of each pair of assessors.
std::string agreement_text(const agreement::AssessorAgreement& agreement, StatisticsFormat format);

/// How often each grade occurs.
/// \param file  the file of the qrels
std::string qrels_text(std::span<const formats::trec::QrelRecord> qrels, const std::string& file,
                       StatisticsFormat format);

/// Reliability with the present and other numbers of topics, and the topics needed for the targets. Tables and JSON add
/// the variance components.
std::string reliability_text(const statistics::ScoreMatrix& scores, const agreement::Reliability& reliability,
                             StatisticsFormat format);

}  // namespace touchstone::analysis::presentation
