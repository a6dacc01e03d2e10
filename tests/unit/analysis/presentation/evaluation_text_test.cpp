#include "analysis/presentation/evaluation_text.hpp"

#include "common/version.hpp"
#include "tests/unit/analysis/sample_files.hpp"

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation {
namespace {

/// Two topics of one run, whose files are called "runs/a.run" and "qrels.txt" wherever they were.
measures::Evaluation sample(const std::vector<std::string>& words) {
  const testing::SampleFiles files;
  const std::vector<std::filesystem::path> runs = {
      files.write("r", "1 Q0 a 1 2 my\"tag\n2 Q0 x 1 3 my\"tag\n2 Q0 a 2 2 my\"tag\n")};
  auto result = measures::evaluate(files.write("q", "1 0 a 1\n2 0 a 1\n"), runs, measures::parse_measures(words));
  result.runs[0].file = "runs/a.run";
  result.qrels = "qrels.txt";
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

const std::string kVersion = std::string("touchstone ") + program_version();
const std::string kFoot = "\nqrels: qrels.txt\ntopics of the qrels: 2\n" + kVersion + "\n";

TEST(EvaluationText, JsonIsAListWhoseFirstValueOfEachRunSaysWhatWasMeasured) {
  EXPECT_EQ(
      text({"map", "runid"}, TextFormat::kJson, true),
      "[\n{\"run\":\"my\\\"tag\",\"measure\":\"map\",\"topic\":\"1\",\"value\":1,\"about\":{\"version\":\"" + kVersion +
          "\",\"qrels\":\"qrels.txt\",\"file\":\"runs/a.run\",\"tag\":\"my\\\"tag\",\"topics\":2,\"topics_missing\":0,"
          "\"topics_not_in_qrels\":0,\"min_grade\":1,\"complete\":false,\"judged_only\":false,\"max_docs\":null,"
          "\"collection_size\":0,\"z_scores\":null}},\n"
          "{\"run\":\"my\\\"tag\",\"measure\":\"map\",\"topic\":\"2\",\"value\":0.5},\n"
          "{\"run\":\"my\\\"tag\",\"measure\":\"map\",\"topic\":\"all\",\"value\":0.75},\n"
          "{\"run\":\"my\\\"tag\",\"measure\":\"runid\",\"topic\":\"all\",\"value\":\"my\\\"tag\"}\n]\n");
}

TEST(EvaluationText, TsvHasAHeaderAndFullPrecision) {
  EXPECT_EQ(text({"nDCG@10"}, TextFormat::kTsv, false),
            "# " + kVersion +
                "\n# qrels: qrels.txt\n# topics of the qrels: 2\n# run my\"tag: runs/a.run\n"
                "run\tmeasure\ttopic\tvalue\nmy\"tag\tnDCG@10\tall\t0.8154648767857288\n");
}

TEST(EvaluationText, TablesHaveAColumnForEachMeasure) {
  EXPECT_EQ(text({"map", "num_q"}, TextFormat::kTable, true),
            "run     topic     map  num_q\n"
            "my\"tag  1      1.0000      -\n"
            "my\"tag  2      0.5000      -\n"
            "my\"tag  all    0.7500      2\n" +
                kFoot);
}

TEST(EvaluationText, TablesAlignMeasuresWithLettersOutsideAscii) {
  EXPECT_EQ(text({"α_nDCG@10", "map"}, TextFormat::kTable, false),
            "run      α_nDCG@10     map\n"
            "my\"tag      0.8155  0.7500\n" +
                kFoot);
}

TEST(EvaluationText, TablesOfManyMeasuresHaveARowForEachValue) {
  const auto table = text({"official"}, TextFormat::kTable, false);
  EXPECT_EQ(table.substr(0, table.find("\nnum_q")).find("run     measure"), 0U) << table;
  EXPECT_NE(table.find("my\"tag  P_1000"), std::string::npos) << table;
}

TEST(EvaluationText, OptionsThatChangeValuesAreNamed) {
  auto evaluation = sample({"map"});
  evaluation.options.min_grade = 2;
  evaluation.options.complete = true;
  evaluation.options.max_passages = 100;
  const auto tsv = evaluation_text(evaluation, {TextFormat::kTsv, false, true});
  for (const char* line : {"# complete: ", "# lowest relevant grade: 2\n", "# ranks that count: 100\n"})
    EXPECT_NE(tsv.find(line), std::string::npos) << tsv;
}

TEST(EvaluationText, TrecEvalCountsEveryGradeAboveZeroInNumRelOfCompleteTopics) {
  const testing::SampleFiles files;
  const std::vector<std::filesystem::path> runs = {files.write("r", "1 Q0 a 1 2 t\n")};
  measures::EvaluateOptions options;
  options.complete = true;
  options.min_grade = 2;
  const auto evaluation =
      measures::evaluate(files.write("q", "1 0 a 1\n1 0 b 2\n1 0 c 0\n2 0 a 1\n2 0 b -1\n"), runs,
                         measures::parse_measures(std::vector<std::string>{"num_rel", "NumRel"}), options);
  EXPECT_EQ(evaluation_text(evaluation, {TextFormat::kTrecEval, false, true}),
            "num_rel               \tall\t3\nNumRel                \tall\t1\n");
  const auto table = evaluation_text(evaluation, {TextFormat::kTable, false, true});
  EXPECT_EQ(table.substr(0, table.find("\n\n")), "run  num_rel  NumRel\nt          1       1");
}

TEST(EvaluationText, TheSummaryCanBeLeftOut) {
  EXPECT_EQ(text({"map", "num_q"}, TextFormat::kTrecEval, true, false),
            "map                   \t1\t1.0000\nmap                   \t2\t0.5000\n");
}

}  // namespace
}  // namespace touchstone::analysis::presentation
