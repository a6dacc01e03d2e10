#pragma once

#include "analysis/agreement/decision_agreement.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"
#include "formats/svg/chart.hpp"

#include <optional>
#include <string>
#include <vector>

/// Comparisons as plots.
namespace touchstone::analysis::presentation {

/// Plots of a comparison: the leaderboard with intervals and the systems not significantly worse than the best; the
/// significance of all pairs; the differences of two systems on each topic, by default of the two best; if `judgments`
/// is not null, the two leaderboards against each other. Pure: the same input gives the same plots.
std::vector<formats::svg::Chart> comparison_plots(const statistics::ScoreMatrix& scores,
                                                  const significance::Comparison& comparison,
                                                  const agreement::JudgmentComparison* judgments,
                                                  std::optional<SystemPair> pair = std::nullopt);

/// An HTML page that needs no other file: the plots as inline SVG, the table of comparison_text(), and the files that
/// the scores come from. Pure.
std::string comparison_report(const statistics::ScoreMatrix& scores, const std::string& table,
                              const std::vector<formats::svg::Chart>& plots);

namespace internal {

/// The least move of the systems that a plot marks: all that move by so many ranks or more, at most eight, unless more
/// than eight move equally far and further than all others. 0 if no system moves.
/// \param moves  ranks by which each system moves
double least_move_of(std::vector<double> moves);

}  // namespace internal
}  // namespace touchstone::analysis::presentation
