#include "analysis/presentation/text_table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {

std::string TextTable::aligned(std::size_t left_columns) const {
  std::vector<std::size_t> widths;
  for (const auto& cells : rows_) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], cells[c].size());
  }
  std::string out;
  for (const auto& cells : rows_) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) line += "  ";
      line +=
          c < left_columns ? fmt::format("{:<{}}", cells[c], widths[c]) : fmt::format("{:>{}}", cells[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string TextTable::tab_separated() const {
  std::string out;
  for (const auto& cells : rows_) out += fmt::format("{}\n", fmt::join(cells, "\t"));
  return out;
}

}  // namespace touchstone::analysis::presentation::internal
