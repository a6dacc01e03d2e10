#pragma once

#include "analysis/presentation/number_text.hpp"
#include "analysis/studies/study_output.hpp"

#include <cstddef>
#include <string>

/// Cells of the tables of studies. All functions are pure and thread-safe.
namespace touchstone::analysis::presentation::internal {

/// The cell as one line of text; numbers with fractions by `number`.
std::string cell_text(const studies::Cell& cell, NumberText number);

/// How many rows people see.
std::size_t shown_rows(const studies::StudyTable& table);

/// Columns at the left that hold texts.
std::size_t text_columns(const studies::StudyTable& table);

}  // namespace touchstone::analysis::presentation::internal
