#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Tables in LaTeX with the rules of the package booktabs. All functions are pure and thread-safe.
namespace touchstone::analysis::presentation::internal {

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

}  // namespace touchstone::analysis::presentation::internal
