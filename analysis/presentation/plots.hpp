#pragma once

#include "analysis/agreement/judgment_comparison.hpp"
#include "analysis/presentation/statistics_text.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Comparisons as plots, drawn by the program gnuplot.
namespace touchstone::analysis::presentation {

/// A gnuplot script without terminal and output.
struct Plot {
  std::string name;     ///< of the files: "leaderboard"
  std::string title;    ///< heading in the report
  std::string caption;  ///< how to read the plot, in sentences
  std::string script;
  int width = 900, height = 600;  ///< pixels
};

/// Plots of a comparison: the leaderboard with intervals and the systems not significantly worse than the best; the
/// significance of all pairs; the differences of two systems on each topic, by default of the two best; if `judgments`
/// is not null, the two leaderboards against each other. Pure: the same input gives the same scripts.
std::vector<Plot> comparison_plots(const statistics::ScoreMatrix& scores, const significance::Comparison& comparison,
                                   const agreement::JudgmentComparison* judgments,
                                   std::optional<SystemPair> pair = std::nullopt);

/// Writes NAME.svg, NAME.png and the script NAME.gp of each plot into `folder`, which is created if necessary. Throws
/// Error with the remedy if gnuplot is not installed, and with its message if it fails; StorageError for `folder`.
void write_plots(const std::vector<Plot>& plots, const std::filesystem::path& folder);

/// An HTML page that needs no other file: the plots as inline SVG, the table of comparison_text(), and the files that
/// the scores come from. Throws as write_plots().
std::string comparison_report(const statistics::ScoreMatrix& scores, const std::string& table,
                              const std::vector<Plot>& plots);

}  // namespace touchstone::analysis::presentation
