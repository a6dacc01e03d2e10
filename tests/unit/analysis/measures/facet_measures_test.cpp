#include "tests/unit/analysis/sample_files.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::measures {
namespace {

using testing::mean;
using testing::means;

// Facet 1 has A and B, facet 2 has B and C, facet 3 has nothing relevant and does not count.
const std::string kFacetQrels = "q 1 A 1\nq 1 B 1\nq 2 B 1\nq 2 C 2\nq 3 D 0\nq 1 D 0\n";
// Gains with alpha .5: D 0, B 1 + 1, C 1/2, A 1/2.
const std::string kFacetRun = "q Q0 D 1 9 t\nq Q0 B 2 8 t\nq Q0 C 3 7 t\nq Q0 A 4 6 t\nq Q0 E 5 5 t\n";
constexpr double kTolerance = 1e-9;

const double kAlphaDcg = 2 / std::log2(3.) + .5 / std::log2(4.) + .5 / std::log2(5.);

TEST(FacetMeasures, AlphaNdcgIsOverTheGreedyIdealRanking) {
  const double ideal = 2 + .5 / std::log2(3.) + .5 / std::log2(4.);  // B, then C and A
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "alpha_nDCG@5"), kAlphaDcg / ideal, kTolerance);
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "alpha_nDCG@2"), 2 / std::log2(3.) / (2 + .5 / std::log2(3.)), kTolerance);
}

TEST(FacetMeasures, AlphaDcgIsOverTheUpperBound) {
  const double bound = 2 + 1 / std::log2(3.) + .5 / std::log2(4.) + .25 / std::log2(5.);
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "alpha_DCG@4"), kAlphaDcg / bound, kTolerance);
}

TEST(FacetMeasures, ErrIaHasTheValuesThatNdevalGivesForTwoTopics) {
  const std::string qrels =
      "0 0 D0 0\n0 0 D1 1\n0 0 D2 1\n0 1 D2 1\n0 1 D3 2\n0 0 D4 0\n1 0 D0 1\n1 0 D3 2\n1 1 D5 2\n";
  const std::string run =
      "0 Q0 D0 1 0.8 r\n0 Q0 D2 2 0.7 r\n0 Q0 D1 3 0.3 r\n0 Q0 D3 4 0.4 r\n0 Q0 D4 5 0.1 r\n"
      "1 Q0 D1 1 0.8 r\n1 Q0 D3 2 0.7 r\n1 Q0 D4 3 0.3 r\n1 Q0 D2 4 0.4 r\n";
  const testing::SampleFiles files;
  const std::vector<std::filesystem::path> runs = {files.write("run", run)};
  const auto scores = evaluate(files.write("qrels", qrels), runs, parse_measure("ERR_IA@20")).runs[0];
  EXPECT_NEAR(scores.values[0], .4659, 5e-5);
  EXPECT_NEAR(scores.values[1], .1803, 5e-5);
  EXPECT_NEAR(scores.means[0], .3231, 5e-5);
}

TEST(FacetMeasures, ErrIaWithoutCutoffIsOverTheWholeSeries) {
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "ERR_IA"), (2 / 2. + .5 / 3 + .5 / 4) / (2 * 2 * std::log(2.)), kTolerance);
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "nERR_IA"), (2 / 2. + .5 / 3 + .5 / 4) / (2 + .5 / 2 + .5 / 3), kTolerance);
}

TEST(FacetMeasures, NrbpDiscountsByPatience) {
  const double sum = 2 * .5 + .5 * .25 + .5 * .125;
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "NRBP"), sum * (1 - .25) / 2, kTolerance);
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "nNRBP"), sum / (2 + .25 + .125), kTolerance);
}

TEST(FacetMeasures, IntentAwareMeasuresAreMeansOverFacets) {
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "P_IA@4"), (2 + 2) / 2. / 4, kTolerance);
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "AP_IA"), ((1 / 2. + 2 / 4.) / 2 + (1 / 2. + 2 / 3.) / 2) / 2, kTolerance);
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "StRecall@1"), 0, kTolerance);
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "StRecall@2"), 1, kTolerance);
  EXPECT_NEAR(mean(kFacetQrels, kFacetRun, "StRecall(rel=2)@3"), 1, kTolerance);
}

TEST(FacetMeasures, OtherMeasuresSeeTheHighestGradeOfADocid) {
  EXPECT_EQ(means(kFacetQrels, kFacetRun, {"NRBP", "num_rel", "AP(rel=2)"})[1], 3);
}

TEST(FacetMeasures, ARankingAsGoodAsTheIdealOneHasOne) {
  const std::string qrels = "q 1 A 1\nq 2 A 1\nq 2 B 1\nq 3 B 1\nq 1 C 1\nq 3 C 1\n";
  const std::string run = "q Q0 C 1 3 t\nq Q0 B 2 2 t\nq Q0 A 3 1 t\n";
  EXPECT_NEAR(mean(qrels, run, "alpha_nDCG@3"), 1, kTolerance);
  EXPECT_NEAR(mean(qrels, run, "nERR_IA"), 1, kTolerance);
}

TEST(FacetMeasures, AreNotAskedForByAccident) {
  const auto message = testing::message_of([] { mean(kFacetQrels, kFacetRun, "map"); });
  EXPECT_NE(message.find("qrels:3: judges docid \"B\" of topic \"q\" a second time after line 2"), std::string::npos)
      << message;
  EXPECT_NE(message.find("alpha_nDCG"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::analysis::measures
