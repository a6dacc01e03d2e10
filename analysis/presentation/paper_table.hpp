#pragma once

#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Tables for papers: systems down, measures across, with marks of significance.
namespace touchstone::analysis::presentation {

namespace internal {

// Tables in LaTeX with the rules of the package booktabs. All functions are pure and thread-safe.

/// The text as one line in which LaTeX reads no command, and no ligature that would change an id: "a_1" -> "a\_1".
std::string latex_escaped(std::string_view text);

struct LatexTable {
  std::string caption, label;                  ///< the caption is escaped; without a label the table has none
  std::string alignment;                       ///< of each column, as LaTeX writes it: "lrp{6cm}"
  std::vector<std::vector<std::string>> rows;  ///< escaped cells; the first row is the head
  bool fits_line = false;                      ///< wider tables shrink to the width of a line
};

/// A `table` environment; a `longtable` if there are too many rows for a page. Needs booktabs, with `fits_line`
/// graphicx and longtable too. \pre `rows` has the head, and all rows have a cell for each column
std::string latex_table(const LatexTable& table);

}  // namespace internal

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
