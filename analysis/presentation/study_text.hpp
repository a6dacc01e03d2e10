#pragma once

#include "analysis/presentation/statistics_text.hpp"
#include "analysis/presentation/text_parts.hpp"
#include "analysis/studies/study_output.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

/// Studies as text. The same output gives the same bytes. All functions are pure and thread-safe.
namespace touchstone::analysis::presentation {

namespace internal {

// Cells of the tables of studies. All functions are pure and thread-safe.

/// The cell as one line of text; numbers with fractions by `number`.
std::string cell_text(const studies::Cell& cell, NumberText number);

/// How many rows people see.
std::size_t shown_rows(const studies::StudyTable& table);

/// How many rows of all the shown ones are; empty if they are all.
std::string rows_note(const studies::StudyTable& table);

/// The cell for LaTeX. A number has a minus sign, and one that is undefined is a dash.
std::string latex_cell(const studies::Cell& cell);

/// Whether a column holds texts. One of texts may be behind one of numbers, such as the reason for a verdict.
bool is_text_column(const studies::StudyTable& table, std::size_t column);

/// Columns at the left that hold texts.
std::size_t text_columns(const studies::StudyTable& table);

}  // namespace internal

/// Table: facts, findings in words, and all tables. TSV: the first table, with the facts as comments. JSON: version,
/// study, facts, findings and the study's own fields.
std::string study_text(const studies::StudyOutput& output, StatisticsFormat format);

/// One table of the study as TSV with all digits, with the facts as comments.
std::string study_tsv(const studies::StudyOutput& output, const studies::StudyTable& table);

/// The rows of the table that people see as a table in LaTeX, with the facts as comments. It needs the packages
/// booktabs, graphicx and longtable. Its label is `tab:STUDY-TABLE`.
std::string study_latex(const studies::StudyOutput& output, const studies::StudyTable& table);

/// "Caution", "Good", ...; for a fact "Note".
std::string verdict_word(studies::Verdict verdict);

// Studies as files for people and programs.

/// One HTML page that needs no other file and no script: for each study what follows from it in words, with its
/// thresholds, then figures, tables and inputs. Pure: the same outputs give the same bytes.
std::string study_report(std::span<const studies::StudyOutput> outputs);

/// Writes report.html, study.json, each table as TABLE.tsv and TABLE.tex and each figure as FIGURE.svg and FIGURE.pdf
/// into `folder`, which is created if necessary. Figures are written as by write_figures(). Throws StorageError.
/// \returns a sentence for the user if the figures could not be written as PDF, else an empty text
[[nodiscard]] std::string write_study(const studies::StudyOutput& output, const std::filesystem::path& folder);

}  // namespace touchstone::analysis::presentation
