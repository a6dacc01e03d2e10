#pragma once

#include "analysis/presentation/statistics_text.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// Comparisons as pictures, drawn by the program gnuplot.
namespace touchstone::analysis {

/// One picture: a gnuplot script without its terminal.
struct Plot {
  std::string name;     ///< of the files: "leaderboard"
  std::string title;    ///< heading in the report
  std::string caption;  ///< how to read it: plain sentences
  std::string script;
  int width = 900, height = 600;  ///< pixels
};

/// Leaderboard with intervals and the systems not significantly worse than the best; significance of all pairs;
/// differences of the two best on each topic; with `judgments` the two leaderboards against each other. The same input
/// gives the same scripts.
std::vector<Plot> comparison_plots(const ScoreMatrix& scores, const Comparison& comparison,
                                   const JudgmentComparison* judgments);

/// Writes NAME.svg, NAME.png and the script, NAME.gp, of each plot into `folder`, which is made if it is missing.
/// Throws Error with the remedy where gnuplot is not installed, or with what it says where it fails.
void write_plots(const std::vector<Plot>& plots, const std::filesystem::path& folder);

/// A page that needs no other file: the table of comparison_text() and the plots as inline SVG. Throws as
/// write_plots().
std::string comparison_report(const std::string& table, const std::vector<Plot>& plots);

}  // namespace touchstone::analysis
