#include "analysis/presentation/study_report.hpp"
#include "analysis/presentation/study_text.hpp"
#include "analysis/studies/finished_parts.hpp"
#include "analysis/studies/table/study_table.hpp"
#include "tests/support/temporary_folder.hpp"

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

TEST(StudyReport, WritesAFileForEachTableAndFigure) {
  const touchstone::testing::TemporaryFolder folder;
  presentation::write_study(sample_output(), folder / "out");
  for (const char* name : {"report.html", "study.json", "rows.tsv", "line.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / name)) << name;
}

}  // namespace
}  // namespace touchstone::analysis::studies
