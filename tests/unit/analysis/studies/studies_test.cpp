#include "analysis/presentation/study_text.hpp"
#include "analysis/studies/study.hpp"
#include "analysis/studies/table/study_table.hpp"
#include "common/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

namespace touchstone::analysis::studies {
namespace {

TEST(StudyTable, StudiesHaveDifferentNamesAndOptions) {
  std::set<std::string_view> names, keys;
  for (const auto& study : table::all_studies()) {
    EXPECT_TRUE(names.insert(study.name).second) << study.name;
    EXPECT_FALSE(study.summary.empty());
    if (study.options == nullptr) continue;
    for (const auto& row : study.options->rows) {
      EXPECT_TRUE(keys.insert(row.key).second) << row.key;
      EXPECT_TRUE(row.key.starts_with(std::string(study.name) + ".")) << row.key;
    }
  }
}

TEST(FinishedParts, AreComputedOnceForTheSameFingerprint) {
  const touchstone::testing::TemporaryFolder folder;
  int computed = 0;
  const auto ask = [&](const std::string& fingerprint) {
    FinishedParts parts(folder / "parts", fingerprint);
    return parts.part("one", [&] { return "text " + std::to_string(++computed); });
  };
  EXPECT_EQ(ask("x"), "text 1");
  EXPECT_EQ(ask("x"), "text 1");
  EXPECT_EQ(ask("y"), "text 2");
}

TEST(FinishedParts, APartThatWasCutShortIsComputedAgain) {
  const touchstone::testing::TemporaryFolder folder;
  {
    FinishedParts parts(folder / "parts", "x");
    parts.part("one", [] { return std::string("whole"); });
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder / "parts"))
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) - 1);
  FinishedParts parts(folder / "parts", "x");
  EXPECT_EQ(parts.part("one", [] { return std::string("again"); }), "again");
  parts.remove();
  EXPECT_FALSE(std::filesystem::exists(folder / "parts"));
}

StudyOutput sample_output() {
  StudyOutput output;
  output.study = "sample";
  output.title = "A <sample>";
  output.question = "Is it so?";
  output.facts = {{"qrels", "a & b"}};
  output.findings = {{Verdict::kCaution, "It is.", "the rule"}};
  output.tables = {{"rows", "Rows", {"name", "value", "count"}, {{std::string("x"), 0.5, std::int64_t{3}}}, "", 0}};
  output.charts = {{"line", "Line", "Caption.", "x", "y", {{"s", {{0, 0.1, 0.0, 0.2}, {1, 0.4}}}}}};
  output.write_fields = [](JsonWriter& json) { json.field("answer", 42); };
  return output;
}

TEST(StudyText, ShowsFindingsTablesAndFields) {
  const auto output = sample_output();
  const auto table = presentation::study_text(output, presentation::StatisticsFormat::kTable);
  EXPECT_NE(table.find("- Caution: It is.\n  Rule: the rule\n"), std::string::npos);
  EXPECT_NE(table.find("x     0.5000      3\n"), std::string::npos);
  const auto tsv = presentation::study_text(output, presentation::StatisticsFormat::kTsv);
  EXPECT_NE(tsv.find("# qrels: a & b\nname\tvalue\tcount\nx\t0.5\t3\n"), std::string::npos);
  const auto json = presentation::study_text(output, presentation::StatisticsFormat::kJson);
  EXPECT_NE(json.find("\"answer\": 42"), std::string::npos);
  EXPECT_NE(json.find("\"verdict\": \"caution\""), std::string::npos);
}

TEST(StudyReport, EscapesTextsAndHoldsTheFigures) {
  const auto output = sample_output();
  const auto page = presentation::study_report({&output, 1});
  EXPECT_NE(page.find("<h1>A &lt;sample&gt;</h1>"), std::string::npos);
  EXPECT_NE(page.find("<polyline"), std::string::npos);
  EXPECT_NE(page.find("<polygon"), std::string::npos);
  EXPECT_NE(page.find("Rule: the rule"), std::string::npos);
  EXPECT_EQ(page, presentation::study_report({&output, 1}));
}

TEST(StudyText, WritesTablesInLatex) {
  auto output = sample_output();
  output.tables.front().title = "50 % of a_b";
  output.tables.front().note = "As {c} does.";
  output.tables.front().columns = {"na_me", "value", "count"};
  output.tables.front().rows.push_back({std::string("--y&"), -0.25, std::int64_t{-1}});
  output.tables.front().rows.push_back({std::string("[z]"), std::nan(""), std::int64_t{0}});
  output.tables.front().shown_rows = 3;
  output.tables.front().rows.push_back({std::string("unseen"), 1.0, std::int64_t{0}});
  const auto latex = presentation::study_latex(output, output.tables.front());
  const auto has = [&](const std::string& part) { return latex.find(part) != std::string::npos; };
  EXPECT_TRUE(has("% qrels: a & b\n")) << latex;
  EXPECT_TRUE(has("\\caption{50 \\% of a\\_b. As \\{c\\} does. The table shows 3 of 4 rows.}\\label{tab:")) << latex;
  EXPECT_TRUE(has("\\begin{tabular}{lrr}\n\\toprule\nna\\_me & value & count \\\\\n\\midrule\n")) << latex;
  EXPECT_TRUE(has("x & 0.5000 & 3 \\\\\n-{}-y\\& & $-$0.2500 & $-$1 \\\\\n{}[z] & -- & 0 \\\\\n\\bottomrule\n"))
      << latex;
  EXPECT_FALSE(has("unseen")) << latex;
}

TEST(StudyText, WritesTablesOfMoreThanAPageAsLongTables) {
  auto output = sample_output();
  auto& rows = output.tables.front().rows;
  rows.resize(60, rows.front());
  const auto latex = presentation::study_latex(output, output.tables.front());
  EXPECT_NE(latex.find("\\begin{longtable}{lrr}"), std::string::npos) << latex;
  EXPECT_EQ(latex.find("\\begin{table}"), std::string::npos) << latex;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(StudyText, BreaksSentencesInLatex) {
  auto output = sample_output();
  output.tables.front().rows.front().front() = std::string(61, 'x');
  EXPECT_NE(presentation::study_latex(output, output.tables.front()).find("\\begin{tabular}{p{6cm}rr}"),
            std::string::npos);
}

TEST(StudyReport, LinesBreakWhereAValueIsUndefined) {
  auto output = sample_output();
  output.charts.front().series = {
      {"s", {{0, 1}, {1, 2}, {2, std::nan("")}, {3, 2}, {4, 1}, {5, std::nan("")}, {6, 1}}}};
  const auto page = presentation::study_report({&output, 1});
  EXPECT_EQ(count_of(page, "<polyline"), 2U);
  EXPECT_EQ(count_of(page, "<circle"), 1U) << "a point alone";
}

TEST(StudyReport, PanelsShareTheirAxesAndLegend) {
  auto output = sample_output();
  auto& chart = output.charts.front();
  chart.series.clear();
  for (const char* title : {"first", "second", "third", "fourth"})
    chart.panels.push_back({title, {{"middle", {{0, 1}, {1, 40}}}}});
  const auto page = presentation::study_report({&output, 1});
  EXPECT_EQ(count_of(page, "<polyline"), 4U);
  EXPECT_EQ(count_of(page, ">fourth<"), 1U);
  EXPECT_EQ(count_of(page, ">middle<"), 1U);
  EXPECT_EQ(count_of(page, ">40<"), 4U) << "each panel has the tics";
}

TEST(StudyReport, WritesFilesForEachTableAndFigure) {
  const touchstone::testing::TemporaryFolder folder;
  const auto note = presentation::write_study(sample_output(), folder / "out");
  for (const char* name : {"report.html", "study.json", "rows.tsv", "rows.tex", "line.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / name)) << name;
  if (std::system("rsvg-convert --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "rsvg-convert is not installed";
  EXPECT_EQ(note, "");
  const auto pdf = read_file(folder / "out" / "line.pdf");
  EXPECT_TRUE(pdf.starts_with("%PDF"));
  EXPECT_EQ(presentation::write_study(sample_output(), folder / "again"), "");
  EXPECT_EQ(pdf, read_file(folder / "again" / "line.pdf"));
}

TEST(StudyReport, SaysWhyAFigureIsNotDrawnAsPdfAndRemovesTheOldOne) {
  const touchstone::testing::TemporaryFolder folder;
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (folder / "nothing").c_str(), 1);
  std::filesystem::create_directory(folder / "out");
  write_file_atomically(folder / "out" / "line.pdf", "of an earlier run");
  const auto note = presentation::write_study(sample_output(), folder / "out");
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_NE(note.find("cannot start rsvg-convert (No such file or directory); install"), std::string::npos) << note;
  EXPECT_FALSE(std::filesystem::exists(folder / "out" / "line.pdf"));
}

}  // namespace
}  // namespace touchstone::analysis::studies
