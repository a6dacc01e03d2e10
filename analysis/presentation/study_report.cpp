#include "analysis/presentation/study_report.hpp"

#include "analysis/presentation/figures.hpp"
#include "analysis/presentation/report_frame.hpp"
#include "analysis/presentation/source_text.hpp"
#include "analysis/presentation/study_cells.hpp"
#include "analysis/presentation/study_text.hpp"
#include "common/files.hpp"
#include "common/named_values.hpp"
#include "formats/html/html.hpp"

namespace touchstone::analysis::presentation {
namespace {

namespace html = formats::html;
using html::element;
using html::Html;
using studies::StudyOutput;

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
