#include "analysis/presentation/study_report.hpp"

#include "analysis/presentation/external_program.hpp"
#include "analysis/presentation/report_frame.hpp"
#include "analysis/presentation/source_text.hpp"
#include "analysis/presentation/study_cells.hpp"
#include "analysis/presentation/study_text.hpp"
#include "analysis/presentation/svg_chart.hpp"
#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/named_values.hpp"
#include "formats/html/html.hpp"

#include <system_error>

#include <fmt/format.h>

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
    out += element("figure", {{"class", "card"}}, internal::svg_chart(chart), element("figcaption", {}, chart.caption));
  }
  for (const auto& table : output.tables) out += table_of(table);
  Html facts;
  for (const auto& [name, value] : output.facts)
    facts += element("tr", {}, element("td", {{"class", "t"}}, name), element("td", {{"class", "t"}}, value));
  return out + element("h3", {}, "Inputs and settings") +
         element("div", {{"class", "card wide-table"}}, element("table", {}, element("tbody", {}, facts)));
}

/// Draws FIGURE.pdf from each FIGURE.svg, and removes those of an earlier run if that is impossible. \returns the
/// reason
std::string draw_figures_as_pdf(const StudyOutput& output, const std::filesystem::path& folder) {
  std::string reason;
  for (const auto& chart : output.charts) {
    const auto figure = std::filesystem::absolute(folder) / chart.name;
    const auto file = [&](const char* ending) { return figure.string() + ending; };
    std::error_code ignored;
    if (reason.empty()) {
      try {
        // A fixed time of creation in the file.
        const int missing =
            internal::run_program({"rsvg-convert", "--format=pdf", "--output=" + file(".pdf.partial"), file(".svg")},
                                  {"SOURCE_DATE_EPOCH=0"});
        if (missing != 0) reason = fmt::format("cannot start rsvg-convert ({})", system_reason(missing));
      } catch (const Error& error) {
        reason = error.what();
      }
    }
    if (reason.empty()) {
      std::filesystem::rename(file(".pdf.partial"), file(".pdf"), ignored);
      continue;
    }
    std::filesystem::remove(file(".pdf.partial"), ignored);
    std::filesystem::remove(file(".pdf"), ignored);
  }
  if (reason.empty()) return "";
  return fmt::format(
      "figures are written as SVG and not as PDF: {}; install the package librsvg2-bin and run again if you need PDF",
      reason);
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
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw StorageError(fmt::format("cannot make the folder {}: {}", folder.string(), failed.message()));
  for (const auto& table : output.tables) {
    write_file_atomically(folder / (table.name + ".tsv"), study_tsv(output, table));
    write_file_atomically(folder / (table.name + ".tex"), study_latex(output, table));
  }
  for (const auto& chart : output.charts)
    write_file_atomically(folder / (chart.name + ".svg"), internal::svg_chart(chart).markup() + "\n");
  write_file_atomically(folder / "study.json", study_text(output, StatisticsFormat::kJson));
  write_file_atomically(folder / "report.html", study_report({&output, 1}));
  return draw_figures_as_pdf(output, folder);
}

}  // namespace touchstone::analysis::presentation
