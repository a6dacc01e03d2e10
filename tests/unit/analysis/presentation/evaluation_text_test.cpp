#include "analysis/presentation/evaluation_text.hpp"

#include "tests/unit/analysis/sample_files.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation {
namespace {

/// Two topics of one run, whose file is called "runs/a.run" wherever it was.
measures::Evaluation sample(const std::vector<std::string>& words) {
  const testing::SampleFiles files;
  const std::vector<std::filesystem::path> runs = {
      files.write("r", "1 Q0 a 1 2 my\"tag\n2 Q0 x 1 3 my\"tag\n2 Q0 a 2 2 my\"tag\n")};
  auto result = measures::evaluate(files.write("q", "1 0 a 1\n2 0 a 1\n"), runs, measures::parse_measures(words));
  result.runs[0].file = "runs/a.run";
  return result;
}

std::string text(const std::vector<std::string>& words, TextFormat format, bool per_topic, bool summary = true) {
  return evaluation_text(sample(words), {format, per_topic, summary});
}

TEST(EvaluationText, TrecEvalFormatPadsNamesAndKeepsItsOrder) {
  EXPECT_EQ(text({"map", "num_q", "runid", "relstring"}, TextFormat::kTrecEval, true),
            "map                   \t1\t1.0000\n"
            "relstring             \t1\t'1'\n"
            "map                   \t2\t0.5000\n"
            "relstring             \t2\t'-1'\n"
            "runid                 \tall\tmy\"tag\n"
            "num_q                 \tall\t2\n"
            "map                   \tall\t0.7500\n");
}

TEST(EvaluationText, JsonIsAListOfValuesInTheOrderAskedFor) {
  EXPECT_EQ(text({"map", "runid"}, TextFormat::kJson, true),
            "[\n{\"run\":\"runs/a.run\",\"measure\":\"map\",\"topic\":\"1\",\"value\":1},\n"
            "{\"run\":\"runs/a.run\",\"measure\":\"map\",\"topic\":\"2\",\"value\":0.5},\n"
            "{\"run\":\"runs/a.run\",\"measure\":\"map\",\"topic\":\"all\",\"value\":0.75},\n"
            "{\"run\":\"runs/a.run\",\"measure\":\"runid\",\"topic\":\"all\",\"value\":\"my\\\"tag\"}\n]\n");
}

TEST(EvaluationText, TsvHasAHeaderAndFullPrecision) {
  EXPECT_EQ(text({"nDCG@10"}, TextFormat::kTsv, false),
            "run\tmeasure\ttopic\tvalue\nruns/a.run\tnDCG@10\tall\t0.8154648767857288\n");
}

TEST(EvaluationText, TablesHaveAColumnForEachMeasure) {
  EXPECT_EQ(text({"map", "num_q"}, TextFormat::kTable, true),
            "run    topic     map  num_q\n"
            "a.run  1      1.0000      -\n"
            "a.run  2      0.5000      -\n"
            "a.run  all    0.7500      2\n");
}

TEST(EvaluationText, TablesAlignMeasuresWithLettersOutsideAscii) {
  EXPECT_EQ(text({"α_nDCG@10", "map"}, TextFormat::kTable, false),
            "run     α_nDCG@10     map\n"
            "a.run      0.8155  0.7500\n");
}

TEST(EvaluationText, TablesOfManyMeasuresHaveARowForEachValue) {
  const auto table = text({"official"}, TextFormat::kTable, false);
  EXPECT_EQ(table.substr(0, table.find("\nnum_q")).find("run    measure"), 0U) << table;
  EXPECT_NE(table.find("a.run  P_1000"), std::string::npos) << table;
}

TEST(EvaluationText, TheSummaryCanBeLeftOut) {
  EXPECT_EQ(text({"map", "num_q"}, TextFormat::kTrecEval, true, false),
            "map                   \t1\t1.0000\nmap                   \t2\t0.5000\n");
}

}  // namespace
}  // namespace touchstone::analysis::presentation
