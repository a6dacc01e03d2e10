#include "analysis/presentation/paper_table.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation {
namespace {

using significance::compare_systems;
using significance::compare_with_baseline;
using significance::CompareOptions;
using statistics::ScoreMatrix;

CompareOptions options() {
  CompareOptions result;
  result.test = significance::SignificanceTest::kTTest;
  return result;
}

ScoreMatrix matrix(const std::string& measure) {
  ScoreMatrix scores{
      {"low_1", "best&co", "mid|dle"}, {"t1", "t2", "t3", "t4"}, {.1, .2, .1, .2, .9, .8, .9, .8, .5, .4, .6, .5}};
  scores.source.measure = measure;
  scores.source.qrels = "q_rels.txt";
  return scores;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(PaperTable, LettersNameTheSystemsThatAreSignificantlyWorse) {
  const MeasureResult result{matrix("nDCG@10"), compare_systems(matrix("nDCG@10"), options()), {}};
  const auto text = paper_table(std::vector<MeasureResult>{result}, PaperFormat::kMarkdown);
  EXPECT_TRUE(holds(text, "| system | nDCG@10 |\n|---|---:|\n")) << text;
  EXPECT_TRUE(holds(text, "| a best&amp;co | **0.8500**<sup>bc</sup> |\n")) << text;
  EXPECT_TRUE(holds(text, "| b mid\\|dle | 0.5000<sup>c</sup> |\n")) << text;
  EXPECT_TRUE(holds(text, "| c low\\_1 | 0.1500 |\n")) << text;
  EXPECT_TRUE(holds(text, "t-test, alpha 0.05")) << text;
}

TEST(PaperTable, TrianglesCompareWithTheBaseline) {
  const auto scores = matrix("map");
  const MeasureResult result{scores, {}, compare_with_baseline(scores, 2, options())};
  const auto text = paper_table(std::vector<MeasureResult>{result, result}, PaperFormat::kLatex);
  EXPECT_TRUE(holds(text, "\\begin{tabular}{lrr}")) << text;
  EXPECT_TRUE(holds(text, "best\\&co & \\textbf{0.8500}$^{\\blacktriangle}$ & ")) << text;
  EXPECT_TRUE(holds(text, "mid\\textbar{}dle (baseline) & 0.5000 & 0.5000 \\\\")) << text;
  EXPECT_TRUE(holds(text, "low\\_1 & 0.1500$^{\\blacktriangledown}$")) << text;
  EXPECT_TRUE(holds(text, "q\\_rels.txt")) << text;
}

TEST(PaperTable, TheCaptionSaysWhichTopicsCount) {
  const auto caption = [](const ScoreMatrix& first, const ScoreMatrix& second) {
    std::vector<MeasureResult> results;
    for (const auto& scores : {first, second}) results.push_back({scores, compare_systems(scores, options()), {}});
    return paper_table(results, PaperFormat::kMarkdown);
  };
  auto all = matrix("map"), fewer = matrix("Accuracy");
  fewer.topics = {"t1", "t3"};
  fewer.values = {.1, .2, .9, .8, .5, .4};
  EXPECT_TRUE(holds(caption(all, all), "Means over 4 topics, q\\_rels.txt")) << caption(all, all);
  EXPECT_TRUE(holds(caption(all, fewer), "Means over 4 (map), 2 (Accuracy) topics")) << caption(all, fewer);
  all.topics_left_out = 3;
  all.source.unanswered = {0, 3, 0};
  EXPECT_TRUE(holds(caption(all, all), "4 topics; topics left out: 3 of 7 (not answered: best&amp;co 3), "))
      << caption(all, all);
  all.topics_left_out = 0;
  all.source.complete = true;
  EXPECT_TRUE(holds(caption(all, all), "4 topics; topics without an answer count as 0 (best&amp;co 3), "))
      << caption(all, all);
}

TEST(PaperTable, EqualBestMeansAreAllBold) {
  const ScoreMatrix scores{{"a", "b"}, {"1", "2"}, {.5, .5, .5, .5}};
  const MeasureResult result{scores, compare_systems(scores, options()), {}};
  const auto text = paper_table(std::vector<MeasureResult>{result}, PaperFormat::kMarkdown);
  EXPECT_TRUE(holds(text, "| a a | **0.5000** |\n| b b | **0.5000** |")) << text;
}

}  // namespace
}  // namespace touchstone::analysis::presentation
