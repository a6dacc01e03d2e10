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

/// How many rows of all the shown ones are; empty if they are all.
std::string rows_note(const studies::StudyTable& table);

/// The cell for LaTeX. A number has a minus sign, and one that is undefined is a dash.
std::string latex_cell(const studies::Cell& cell);

/// Whether a column holds texts. One of texts may stand behind one of numbers, such as the reason for a verdict.
bool is_text_column(const studies::StudyTable& table, std::size_t column);

/// Columns at the left that hold texts.
std::size_t text_columns(const studies::StudyTable& table);

}  // namespace touchstone::analysis::presentation::internal
