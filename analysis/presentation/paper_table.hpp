#pragma once

#include "analysis/significance/baseline.hpp"
#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

/// Tables for papers: systems down, measures across, with marks of significance.
namespace touchstone::analysis::presentation {

enum class PaperFormat : std::uint8_t {
  kMarkdown,  ///< a table of GitHub's Markdown, then the caption
  kLatex,     ///< a `table` environment; needs the packages booktabs and, with a baseline, amssymb
};

/// The systems by one measure. Exactly one of the comparisons is set.
struct MeasureResult {
  statistics::ScoreMatrix scores;
  std::optional<significance::Comparison> pairs;
  std::optional<significance::BaselineComparison> baseline;
};

/// Means with four decimals, the best of each measure in bold, the systems in the order of the first measure. With a
/// baseline, a triangle shows that a system is significantly better or worse than it. Otherwise each system has a
/// letter, and a mean lists the letters of the systems that it is significantly better than. The caption names the
/// test, the source and the version. Pure. \pre at least one result; all have the same systems in the same order
std::string paper_table(std::span<const MeasureResult> results, PaperFormat format);

}  // namespace touchstone::analysis::presentation
