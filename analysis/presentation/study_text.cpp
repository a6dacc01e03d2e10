#include "analysis/presentation/study_text.hpp"

#include "analysis/presentation/figures.hpp"
#include "analysis/presentation/paper_table.hpp"
#include "analysis/presentation/text_parts.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/named_values.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/html/html.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::presentation {
namespace {

namespace html = formats::html;
using html::element;
using html::Html;
using studies::StudyOutput;
using studies::StudyTable;

std::string aligned_table(const StudyTable& table) {
  internal::TextTable text;
  text.row(table.columns);
  const auto shown = internal::shown_rows(table);
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<std::string> cells;
    for (const auto& cell : table.rows[i]) cells.push_back(internal::cell_text(cell, internal::short_number));
    text.row(std::move(cells));
  }
  std::string out = text.aligned(internal::text_columns(table));
  if (shown < table.rows.size()) {
    out += fmt::format("... and {} more rows; --out DIR writes all of them to {}.tsv\n", table.rows.size() - shown,
                       table.name);
  }
  return out;
}

/// Whether a column holds texts that need several lines of a paper.
bool has_sentences(const StudyTable& table, std::size_t column) {
  constexpr std::size_t kMaxLetters = 60;
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    const auto* text = std::get_if<std::string>(&row[column]);
    return text != nullptr && text->size() > kMaxLetters;
  });
}

std::string table_for_people(const StudyOutput& output) {
  std::string out = output.title + "\n" + output.question + "\n";
  if (!output.findings.empty()) out += "\nWhat follows\n";
  for (const auto& finding : output.findings) {
    out += fmt::format("- {}: {}\n", verdict_word(finding.verdict), finding.statement);
    if (!finding.threshold.empty()) out += fmt::format("  Rule: {}\n", finding.threshold);
  }
  for (const auto& table : output.tables) {
    out += fmt::format("\n{}\n{}", table.title, aligned_table(table));
    if (!table.note.empty()) out += table.note + "\n";
  }
  return out + "\n" + internal::table_foot(output.facts);
}

std::string json_of(const StudyOutput& output) {
  auto json = internal::json_document();
  json.begin_object();
  internal::write_version(json);
  json.field("study", output.study);
  json.key("inputs").begin_object();
  for (const auto& [name, value] : output.facts) json.field(name, value);
  json.end_object();
  json.key("findings").begin_array();
  for (const auto& finding : output.findings) {
    json.begin_object()
        .field("verdict", name_in(studies::kVerdicts, finding.verdict))
        .field("statement", finding.statement)
        .field("threshold", finding.threshold)
        .end_object();
  }
  json.end_array();
  if (output.write_fields) output.write_fields(json);
  return json.end_object().take_line();
}

Html finding_list(const StudyOutput& output) {
  Html items;
  for (const auto& finding : output.findings) {
    Html item = element("strong", {}, verdict_word(finding.verdict) + ".") + Html(" " + finding.statement);
    if (!finding.threshold.empty()) item += element("span", {{"class", "rule"}}, "Rule: " + finding.threshold);
    items +=
        element("li", {{"class", std::string(name_in(studies::kVerdicts, finding.verdict))}}, item) + html::raw("\n");
  }
  return element("ul", {{"class", "findings"}}, items);
}

Html table_of(const studies::StudyTable& table) {
  const auto kind = [&](std::size_t column) {
    return std::string(internal::is_text_column(table, column) ? "t" : "n");
  };
  Html head, rows;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    head += element("th", {{"class", kind(c)}, {"scope", "col"}}, table.columns[c]);
  const auto shown = internal::shown_rows(table);
  for (std::size_t r = 0; r < shown; ++r) {
    Html cells;
    for (std::size_t c = 0; c < table.rows[r].size(); ++c)
      cells += element("td", {{"class", kind(c)}}, internal::cell_text(table.rows[r][c], internal::short_number));
    rows += element("tr", {}, cells) + html::raw("\n");
  }
  Html out = element("h3", {}, table.title);
  out += element("div", {{"class", "card wide-table"}},
                 element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)));
  std::string note = internal::rows_note(table);
  if (!table.note.empty()) note = table.note + (note.empty() ? "" : " ") + note;
  if (!note.empty()) out += element("p", {{"class", "note"}}, note);
  return out;
}

Html study_section(const StudyOutput& output, bool only) {
  Html out;
  if (!only) out += element("h2", {}, output.title);
  out += element("p", {{"class", "lead"}}, output.question);
  out += element("h3", {}, "What follows") + finding_list(output);
  for (const auto& chart : output.charts) {
    out += element("h3", {}, chart.title);
    out += internal::figure(chart);
  }
  for (const auto& table : output.tables) out += table_of(table);
  Html facts;
  for (const auto& [name, value] : output.facts)
    facts += element("tr", {}, element("td", {{"class", "t"}}, name), element("td", {{"class", "t"}}, value));
  return out + element("h3", {}, "Inputs and settings") +
         element("div", {{"class", "card wide-table"}}, element("table", {}, element("tbody", {}, facts)));
}

}  // namespace

namespace internal {

std::string cell_text(const studies::Cell& cell, NumberText number) {
  if (const auto* text = std::get_if<std::string>(&cell)) return formats::fields::one_line(*text);
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return fmt::to_string(*count);
  return number(std::get<double>(cell));
}

std::size_t shown_rows(const StudyTable& table) {
  return table.shown_rows == 0 ? table.rows.size() : std::min(table.shown_rows, table.rows.size());
}

std::size_t text_columns(const StudyTable& table) {
  std::size_t columns = 0;
  if (table.rows.empty()) return 1;
  while (columns < table.columns.size() && std::holds_alternative<std::string>(table.rows.front()[columns])) ++columns;
  return columns;
}

bool is_text_column(const StudyTable& table, std::size_t column) {
  return column == 0 || std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
           return column < row.size() && std::holds_alternative<std::string>(row[column]);
         });
}

std::string rows_note(const StudyTable& table) {
  if (shown_rows(table) == table.rows.size()) return "";
  return fmt::format("The table shows {} of {} rows.", shown_rows(table), table.rows.size());
}

std::string latex_cell(const studies::Cell& cell) {
  const auto text = cell_text(cell, short_number);
  if (std::holds_alternative<std::string>(cell)) return latex_escaped(text);
  if (text == "-") return "--";
  return text.starts_with('-') ? "$-$" + text.substr(1) : text;
}

}  // namespace internal

std::string verdict_word(studies::Verdict verdict) {
  using enum studies::Verdict;
  static constexpr std::pair<std::string_view, studies::Verdict> kWords[] = {
      {"Good", kGood}, {"Caution", kCaution}, {"Bad", kBad}, {"Note", kFact}};
  return std::string(name_in(kWords, verdict));
}

std::string study_tsv(const StudyOutput& output, const StudyTable& table) {
  internal::TextTable text;
  text.row(table.columns);
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const auto& cell : row) cells.push_back(internal::cell_text(cell, internal::full_number));
    text.row(std::move(cells));
  }
  return internal::tsv_head(output.facts) + text.tab_separated();
}

std::string study_latex(const StudyOutput& output, const StudyTable& table) {
  internal::LatexTable latex;
  const auto with_stop = [](const std::string& text) { return text + (text.ends_with('.') ? "" : "."); };
  latex.caption = internal::latex_escaped(with_stop(table.title));
  for (const auto& sentence : {table.note, internal::rows_note(table)}) {
    if (!sentence.empty()) latex.caption += " " + internal::latex_escaped(with_stop(sentence));
  }
  latex.label = fmt::format("tab:{}-{}", output.study, table.name);
  latex.fits_line = true;
  auto& head = latex.rows.emplace_back();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    head.push_back(internal::latex_escaped(table.columns[c]));
    latex.alignment += has_sentences(table, c) ? "p{6cm}" : internal::is_text_column(table, c) ? "l" : "r";
  }
  for (std::size_t r = 0; r < internal::shown_rows(table); ++r) {
    auto& cells = latex.rows.emplace_back();
    for (const auto& cell : table.rows[r]) cells.push_back(internal::latex_cell(cell));
  }
  return internal::tsv_head(output.facts, '%') + "% Needs \\usepackage{booktabs,graphicx,longtable}.\n" +
         internal::latex_table(latex);
}

std::string study_text(const StudyOutput& output, StatisticsFormat format) {
  if (format == StatisticsFormat::kJson) return json_of(output);
  if (format == StatisticsFormat::kTable) return table_for_people(output);
  TS_CHECK(!output.tables.empty(), "a study has a table");
  return study_tsv(output, output.tables.front());
}

std::string study_report(std::span<const StudyOutput> outputs) {
  const bool only = outputs.size() == 1;
  const std::string title = only ? outputs.front().title : "Can the ranking of systems be trusted?";
  Html content;
  for (const auto& output : outputs) content += study_section(output, only);
  return internal::report_page(only ? "Study" : "Trust report", title, content);
}

std::string write_study(const StudyOutput& output, const std::filesystem::path& folder) {
  auto note = write_figures(output.charts, folder);
  for (const auto& table : output.tables) {
    write_file_atomically(folder / (table.name + ".tsv"), study_tsv(output, table));
    write_file_atomically(folder / (table.name + ".tex"), study_latex(output, table));
  }
  write_file_atomically(folder / "study.json", study_text(output, StatisticsFormat::kJson));
  write_file_atomically(folder / "report.html", study_report({&output, 1}));
  return note;
}

}  // namespace touchstone::analysis::presentation
