#include "extractors/wikitext/blocks/table_grid.hpp"

#include "extractors/scan/entities.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace touchstone::extractors::wikitext::blocks::internal {
using scan::decode_references;
using scan::trim_left;
using tokens::attribute_value;
using tokens::read_attributes;
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

/// Fills a grid row by row, from the top.
class GridBuilder {
 public:
  GridBuilder(std::size_t row_count, std::size_t max_span, GridBudget& budget, GridCut& cut)
      : max_span_(max_span), budget_(budget), cut_(cut), grid_(row_count) {}

  void add_row(std::size_t row, WrittenRow& written) {
    row_ = row;
    out_ = &grid_[row];
    out_->reserve(written.size());
    taken_.clear();
    carry_down();
    std::size_t column = 0;
    for (WrittenCell& cell : written) {
      while (column < taken_.size() && taken_[column]) ++column;
      column = add_cell(column, cell);
    }
    width_ = std::max(width_, out_->size());
  }

  /// Gives all rows the same length, of which `positions` hold at most.
  std::vector<std::vector<Cell>> take(std::size_t positions) {
    Cell padding;
    padding.missing = true;
    const std::size_t widest = grid_.empty() ? 0 : std::max<std::size_t>(1, positions / grid_.size());
    if (width_ > widest) {
      cut_.clipped = true;
      width_ = widest;
      for (const std::vector<Cell>& row : grid_) {
        for (std::size_t c = width_; c < row.size(); ++c) cut_.cells += row[c].missing || row[c].repeated ? 0 : 1;
      }
    }
    for (std::vector<Cell>& row : grid_) row.resize(width_, padding);
    return std::move(grid_);
  }

 private:
  Cell& cell_at(std::size_t column) {
    while (out_->size() <= column) {
      out_->emplace_back().missing = true;
      taken_.push_back(false);
    }
    return (*out_)[column];
  }

  /// Copies the cells that reach down from the rows above.
  void carry_down() {
    for (std::size_t c = 0; c < carried_.size(); ++c) {
      Carried& from = carried_[c];
      if (from.rows_left == 0) continue;
      --from.rows_left;
      Cell copy = grid_[from.source_row][from.source_column];
      copy.repeated = true;
      cell_at(c) = std::move(copy);
      taken_[c] = true;
    }
  }

  /// Puts a cell at a free column and returns the column behind it.
  std::size_t add_cell(std::size_t column, WrittenCell& written) {
    std::uint32_t columns = std::max<std::uint32_t>(1, clip(written.column_span, max_span_));
    const std::size_t rows_below = grid_.size() - row_;
    std::uint32_t down = clip(written.row_span == 0 ? static_cast<std::uint32_t>(max_span_) : written.row_span,
                              std::min(max_span_, rows_below));
    down = std::max<std::uint32_t>(1, down);
    std::size_t repetitions = static_cast<std::size_t>(columns) * down - 1;
    const std::size_t bytes = size_of(written.content);
    if (repetitions >= budget_.positions || repetitions * bytes > budget_.repeated_bytes) {
      cut_.clipped = true;
      columns = down = 1;
      repetitions = 0;
    }
    budget_.positions -= std::min<std::size_t>(budget_.positions, repetitions + 1);
    budget_.repeated_bytes -= repetitions * bytes;
    if (repetitions == 0 && column == out_->size()) {  // most cells
      Cell& cell = out_->emplace_back();
      cell.content = std::move(written.content);
      cell.header = written.header;
      taken_.push_back(true);
      return column + 1;
    }
    Cell cell;
    cell.content = std::move(written.content);
    cell.header = written.header;
    cell.row_span = down;
    cell.column_span = columns;
    repeat_cell(column, std::move(cell));
    return column + columns;
  }

  /// Writes out the spans of a cell: its columns in this row; the rows below are noted.
  void repeat_cell(std::size_t column, Cell&& cell) {
    const std::uint32_t columns = cell.column_span;
    const std::uint32_t down = cell.row_span;
    for (std::uint32_t i = columns; i-- > 0;) {
      Cell& position = cell_at(column + i);
      position = i == 0 ? std::move(cell) : cell;
      position.repeated = i > 0;
      taken_[column + i] = true;
      if (down == 1) continue;
      if (carried_.size() <= column + i) carried_.resize(column + i + 1);
      carried_[column + i] = {down - 1, static_cast<std::uint32_t>(row_), static_cast<std::uint32_t>(column + i)};
    }
  }

  std::size_t max_span_;
  GridBudget& budget_;
  GridCut& cut_;
  std::vector<std::vector<Cell>> grid_;
  std::vector<Carried> carried_;
  std::size_t width_ = 0;
  // Of the row at hand.
  std::size_t row_ = 0;
  std::vector<Cell>* out_ = nullptr;
  std::vector<bool> taken_;  // columns that have a cell
};

std::uint32_t read_number(std::string_view value, std::uint32_t absent) noexcept {
  value = trim_left(value);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc::result_out_of_range) return 65534;
  return error == std::errc() ? number : absent;
}

std::uint32_t read_span(std::string_view value, std::uint32_t absent) {
  if (value.find('&') == std::string_view::npos) return read_number(value, absent);
  return read_number(decode_references(value), absent);
}

}  // namespace

std::vector<std::vector<Cell>> make_grid(std::vector<WrittenRow> rows, std::size_t max_span, GridBudget& budget,
                                         GridCut& cut) {
  const std::size_t positions = budget.positions;
  GridBuilder builder(rows.size(), max_span, budget, cut);
  for (std::size_t row = 0; row < rows.size(); ++row) builder.add_row(row, rows[row]);
  return builder.take(positions);
}

bool is_navigation(std::string_view attributes) noexcept {
  if (attribute_value(attributes, "id") == "toc") return true;
  bool toc = false;
  scan::for_each_part(attribute_value(attributes, "class"), ' ',
                      [&](std::string_view name) { toc = toc || name == "toc"; });
  return toc;
}

void read_spans(std::string_view attributes, WrittenCell& cell) {
  if (attributes.empty()) return;
  constexpr std::array<std::string_view, 2> kSpans = {"colspan", "rowspan"};
  std::array<std::string_view, kSpans.size()> values;
  read_attributes(attributes, kSpans, values);
  const auto [columns, rows] = values;
  cell.column_span = std::max<std::uint32_t>(1, columns.empty() ? 1 : read_span(columns, 1));
  cell.row_span = rows.empty() ? 1 : read_span(rows, 1);
}

}  // namespace touchstone::extractors::wikitext::blocks::internal
