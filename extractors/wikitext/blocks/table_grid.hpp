#pragma once

#include "extractors/document.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace touchstone::extractors::wikitext::blocks::internal {

/// A cell as it was written.
struct WrittenCell {
  RichText content;
  std::uint32_t row_span = 1;  ///< 0: to the last row
  std::uint32_t column_span = 1;
  bool header = false;
};

using WrittenRow = std::vector<WrittenCell>;

/// What the grids of a page may still use.
struct GridBudget {
  std::size_t positions = 0;
  std::size_t repeated_bytes = 0;  ///< of cells that spans repeat
};

/// What a grid lacks because of its budget.
struct GridCut {
  bool clipped = false;     ///< anything
  std::uint64_t cells = 0;  ///< written cells that are not in the grid
};

/// Lays out a table as a grid, with its row and column spans written out.
///
/// \param budget  reduced by what the grid uses. A cell that exceeds it is laid out without its spans; columns that
///                exceed it are left out. `cut` tells of both.
/// Source: html.spec.whatwg.org 4.9.12 (forming a table, read 2025-01); spans end with the last row, as browsers do it.
std::vector<std::vector<Cell>> make_grid(std::vector<WrittenRow> rows, std::size_t max_span, GridBudget& budget,
                                         GridCut& cut);

/// True for hand-made tables of contents. Like the wiki's own, they are not part of the text.
bool is_navigation(std::string_view attributes) noexcept;

/// Reads `rowspan` and `colspan`.
void read_spans(std::string_view attributes, WrittenCell& cell);

}  // namespace touchstone::extractors::wikitext::blocks::internal
