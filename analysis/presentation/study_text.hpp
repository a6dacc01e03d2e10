#pragma once

#include "analysis/presentation/statistics_text.hpp"
#include "analysis/studies/study_output.hpp"

#include <string>

/// Studies as text. The same output gives the same bytes. All functions are pure and thread-safe.
namespace touchstone::analysis::presentation {

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

}  // namespace touchstone::analysis::presentation
