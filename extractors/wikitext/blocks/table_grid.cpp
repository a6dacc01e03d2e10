#include "extractors/wikitext/blocks/table_grid.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::extractors::wikitext::blocks::internal {
namespace {

/// A cell of a row further up that reaches down into this one.
struct Carried {
  std::uint32_t rows_left = 0;
  std::uint32_t source_row = 0, source_column = 0;
};

/// Bytes that a copy of the text takes, about.
std::size_t size_of(const RichText& text) noexcept {
  return text.text.size() + text.links.size() * sizeof(Link);
}

std::uint32_t clip(std::uint32_t span, std::size_t most) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(span, most));
}

}  // namespace

std::vector<std::vector<Cell>> make_grid(std::vector<WrittenRow> rows, std::size_t max_span, GridBudget& budget,
                                         bool& clipped) {
  std::vector<std::vector<Cell>> grid(rows.size());
  std::vector<Carried> carried;
  std::vector<bool> taken;  // columns of the row that have a cell
  std::size_t width = 0;
  const std::size_t first_budget = budget.positions;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<Cell>& out = grid[r];
    out.reserve(rows[r].size());
    taken.clear();
    const auto cell_at = [&](std::size_t column) -> Cell& {
      while (out.size() <= column) {
        out.emplace_back().missing = true;
        taken.push_back(false);
      }
      return out[column];
    };
    for (std::size_t c = 0; c < carried.size(); ++c) {
      Carried& from = carried[c];
      if (from.rows_left == 0) continue;
      --from.rows_left;
      Cell copy = grid[from.source_row][from.source_column];
      copy.repeated = true;
      cell_at(c) = std::move(copy);
      taken[c] = true;
    }
    std::size_t column = 0;
    for (WrittenCell& written : rows[r]) {
      while (column < taken.size() && taken[column]) ++column;
      std::uint32_t columns = std::max<std::uint32_t>(1, clip(written.column_span, max_span));
      const std::size_t rows_below = rows.size() - r;
      std::uint32_t down = clip(written.row_span == 0 ? static_cast<std::uint32_t>(max_span) : written.row_span,
                                std::min(max_span, rows_below));
      down = std::max<std::uint32_t>(1, down);
      std::size_t repetitions = static_cast<std::size_t>(columns) * down - 1;
      const std::size_t bytes = size_of(written.content);
      if (repetitions >= budget.positions || repetitions * bytes > budget.repeated_bytes) {
        clipped = true;
        columns = down = 1;
        repetitions = 0;
      }
      budget.positions -= std::min<std::size_t>(budget.positions, repetitions + 1);
      budget.repeated_bytes -= repetitions * bytes;
      if (repetitions == 0 && column == out.size()) {  // most cells
        Cell& cell = out.emplace_back();
        cell.content = std::move(written.content);
        cell.header = written.header;
        taken.push_back(true);
        ++column;
        continue;
      }
      Cell cell;
      cell.content = std::move(written.content);
      cell.header = written.header;
      cell.row_span = down;
      cell.column_span = columns;
      for (std::uint32_t i = columns; i-- > 0;) {
        Cell& position = cell_at(column + i);
        position = i == 0 ? std::move(cell) : cell;
        position.repeated = i > 0;
        taken[column + i] = true;
        if (down > 1) {
          if (carried.size() <= column + i) carried.resize(column + i + 1);
          carried[column + i] = {down - 1, static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(column + i)};
        }
      }
      column += columns;
    }
    width = std::max(width, out.size());
  }
  Cell padding;
  padding.missing = true;
  const std::size_t widest = grid.empty() ? 0 : std::max<std::size_t>(1, first_budget / grid.size());
  if (width > widest) {
    clipped = true;
    width = widest;
  }
  for (std::vector<Cell>& row : grid) row.resize(width, padding);
  return grid;
}

}  // namespace touchstone::extractors::wikitext::blocks::internal
