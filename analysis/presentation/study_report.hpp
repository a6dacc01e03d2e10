#pragma once

#include "analysis/studies/study_output.hpp"

#include <filesystem>
#include <span>
#include <string>

/// Studies as files for people and programs.
namespace touchstone::analysis::presentation {

/// One HTML page that needs no other file and no script: for each study what follows from it in words, with its
/// thresholds, then figures, tables and inputs. Pure: the same outputs give the same bytes.
std::string study_report(std::span<const studies::StudyOutput> outputs);

/// Writes report.html, study.json, each table as TABLE.tsv and TABLE.tex and each figure as FIGURE.svg and FIGURE.pdf
/// into `folder`, which is created if necessary. Figures are written as by write_figures(). Throws StorageError.
/// \returns a sentence for the user if the figures could not be written as PDF, else an empty text
[[nodiscard]] std::string write_study(const studies::StudyOutput& output, const std::filesystem::path& folder);

}  // namespace touchstone::analysis::presentation
