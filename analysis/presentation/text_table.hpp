#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::analysis::presentation::internal {

/// Rows of cells, printed as aligned columns or separated by tabs.
class TextTable {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Columns two blanks apart, each as wide as its longest cell in bytes. The first `left_columns` columns are aligned
  /// to the left, the others to the right. Lines end without blanks.
  std::string aligned(std::size_t left_columns = 1) const;

  std::string tab_separated() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace touchstone::analysis::presentation::internal
