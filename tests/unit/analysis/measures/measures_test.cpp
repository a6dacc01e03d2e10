#include "tests/unit/analysis/sample_files.hpp"

#include <cmath>

#include <gtest/gtest.h>

// Values worked out by hand from one ranking: relevant, not relevant, not in the qrels, relevant, not relevant. One
// more relevant passage, c, is not retrieved.
namespace touchstone::analysis::measures {
namespace {

using testing::mean;
using testing::means;

const std::string kFiveQrels = "q 0 a 1\nq 0 b 1\nq 0 c 1\nq 0 x 0\nq 0 y 0\n";
const std::string kFiveRun = "q Q0 a 1 9 t\nq Q0 x 2 8 t\nq Q0 u 3 7 t\nq Q0 b 4 6 t\nq Q0 y 5 5 t\n";
const std::string kGraded = "q 0 a 1\nq 0 b 2\nq 0 c 3\nq 0 x 0\nq 0 y 0\n";
constexpr double kPrintedTolerance = 1e-6;

struct Case {
  const char* measure;
  double value;
};

class BinaryMeasures : public ::testing::TestWithParam<Case> {};

TEST_P(BinaryMeasures, HasTheValueWorkedOutByHand) {
  EXPECT_NEAR(mean(kFiveQrels, kFiveRun, GetParam().measure), GetParam().value, kPrintedTolerance);
}

INSTANTIATE_TEST_SUITE_P(
    Worked, BinaryMeasures,
    ::testing::Values(
        Case{"num_q", 1}, Case{"num_ret", 5}, Case{"num_rel", 3}, Case{"num_rel_ret", 2},
        Case{"num_nonrel_judged_ret", 2}, Case{"map", (1 + 2 / 4.) / 3}, Case{"gm_map", .5}, Case{"AP@3", 1 / 3.},
        Case{"map_cut.3", 1 / 3.}, Case{"Rprec", 1 / 3.}, Case{"bpref", (1 + .5) / 3}, Case{"gm_bpref", .5},
        Case{"recip_rank", 1}, Case{"P.2", .5}, Case{"P.10", .2}, Case{"recall.4", 2 / 3.}, Case{"R@1", 1 / 3.},
        Case{"infAP", .5}, Case{"Rprec_mult.0.2", 1}, Case{"Rprec_mult.2", 2 / 6.}, Case{"utility", 2 - 3},
        Case{"utility.2,-1,0.5,0", 4 - 3 + .5}, Case{"iprec_at_recall.0", 1}, Case{"iprec_at_recall.0.5", .5},
        Case{"iprec_at_recall.1", 0}, Case{"IPrec@0.5", .5}, Case{"11pt_avg", 7 / 11.}, Case{"binG", (1 + .5) / 3},
        Case{"relative_P.2", .5}, Case{"relative_P.5", 2 / 3.}, Case{"success.1", 1}, Case{"Success(rel=2)@5", 0},
        Case{"set_P", .4}, Case{"set_recall", 2 / 3.}, Case{"set_relative_P", 2 / 3.}, Case{"set_map", 4 / 15.},
        Case{"set_F", .5}, Case{"SetF(beta=2)", 3 * .4 * (2 / 3.) / (.8 + 2 / 3.)}, Case{"yaap", 0},
        Case{"rbp", .1 * (1 + .729)}, Case{"rbp_resid", .59049 + .1 * .81}, Case{"RBP", .2 * (1 + .512)},
        Case{"RBP(p=0.5)@3", .5}, Case{"unj.5", .2}, Case{"unj.10", .1}, Case{"Judged@3", 2 / 3.},
        Case{"Judged@10", .8}, Case{"RR(rel=1)@10", 1}, Case{"NumRet", 5}, Case{"NumRel", 3}, Case{"NumRelRet", 2},
        Case{"AP(judged_only=True)", (1 + 2 / 3.) / 3}));

class GainMeasures : public ::testing::TestWithParam<Case> {};

TEST_P(GainMeasures, HasTheValueWorkedOutByHand) {
  EXPECT_NEAR(mean(kGraded, kFiveRun, GetParam().measure), GetParam().value, kPrintedTolerance);
}

const double kDcg = 1 + 2 / std::log2(5.), kIdeal = 3 + 2 / std::log2(3.) + 1 / std::log2(4.);

INSTANTIATE_TEST_SUITE_P(
    Worked, GainMeasures,
    ::testing::Values(Case{"dcg", kDcg}, Case{"ideal_dcg", kIdeal}, Case{"ndcg", kDcg / kIdeal},
                      Case{"nDCG@10", kDcg / kIdeal}, Case{"ndcg_cut.1", 1 / 3.},
                      Case{"nDCG@2", 1 / (3 + 2 / std::log2(3.))},
                      Case{"ndcg.1=2,2=1,3=0", (2 + 1 / std::log2(5.)) / (2 + 1 / std::log2(3.))},
                      Case{"nDCG(gains={1:2,2:1,3:0})@4", (2 + 1 / std::log2(5.)) / (2 + 1 / std::log2(3.))},
                      Case{"nDCG(dcg='exp-log2')@5",
                           (1 + 3 / std::log2(5.)) / (7 + 3 / std::log2(3.) + 1 / std::log2(4.))},
                      // At a's rank, at b's rank, and the end for c.
                      Case{"ndcg_rel", (1 / 3. + kDcg / kIdeal + kDcg / kIdeal) / 3},
                      // Before the ideal gain falls to 2, to 1 and to 0, and at the end of the ranking.
                      Case{"Rndcg", (1 / 3. + 1 / (3 + 2 / std::log2(3.)) + 1 / kIdeal + kDcg / kIdeal) / 4},
                      // Cost 3 at a, of which 1 is gained; 3+2+1+1 at b, of which 3 are gained.
                      Case{"G", (1 / std::log2(2 + 3 - 1.) + 2 / std::log2(2 + 7 - 3.)) / 6},
                      Case{"rbp", .1 * (1 / 3. + 2 / 3. * .729)}, Case{"ERR@5", 1 / 16. + 15 / 16. * 3 / 16. / 4},
                      Case{"ERR(max_rel=3)@3", 1 / 8.}, Case{"AP(rel=2)", 1 / 4. / 2}, Case{"Rprec(rel=3)", 0},
                      Case{"P(rel=2)@4", 1 / 4.}));

TEST(Measures, TheLowestRelevantGradeIsAnOption) {
  EvaluateOptions options;
  options.min_grade = 2;
  EXPECT_EQ(means(kGraded, kFiveRun, {"num_rel", "num_rel_ret", "map", "AP(rel=1)"}, options),
            (std::vector<double>{2, 1, 1 / 4. / 2, .5}));
}

TEST(Measures, GradesBelowZeroAreInThePoolButNotJudged) {
  const std::string qrels = "q 0 a 1\nq 0 x -1\nq 0 b 1\n";
  const auto values =
      means(qrels, kFiveRun, {"num_rel", "num_nonrel_judged_ret", "unj.5", "Judged@5", "infAP", "bpref"});
  EXPECT_EQ(values[0], 2);
  EXPECT_EQ(values[1], 0);
  EXPECT_EQ(values[2], .6);
  EXPECT_EQ(values[3], .6);  // the qrels hold a, x and b
  EXPECT_NEAR(values[4], (1 + .25 + .75 * (2 / 3.) * 1) / 2, 1e-4);
  EXPECT_EQ(values[5], 1);
}

TEST(Measures, EqualScoresAreOrderedByDocidDescendingWhateverTheRankColumnSays) {
  const std::string run = "q Q0 a 1 1.0 t\nq Q0 x 2 1.0 t\nq Q0 b 3 1.0 t\nq Q0 u 4 1.0 t\n";
  EXPECT_NEAR(mean(kFiveQrels, run, "recip_rank"), 1 / 3., kPrintedTolerance);  // x u b a
}

TEST(Measures, ScoresAreComparedAsDoublesNotAsFloats) {
  // As floats the two would be equal, and z would come first.
  const std::string run = "q Q0 a 1 16777217.0 t\nq Q0 z 2 16777216.0 t\n";
  EXPECT_EQ(mean(kFiveQrels, run, "recip_rank"), 1);
}

TEST(Measures, NothingRelevantIsZeroNotADivisionByZero) {
  const std::string qrels = "q 0 a 0\n";
  for (const auto& family : measure_families()) {
    const auto word = testing::word_of(family);
    if (family.average == Average::kMeanOfDefined) continue;  // such a topic has no value
    const auto kind = class_of(family.kind);
    for (const double value : means(qrels, kFiveRun, {word})) EXPECT_TRUE(std::isfinite(value)) << word;
  }
  EXPECT_EQ(mean(qrels, kFiveRun, "map"), 0);
  EXPECT_EQ(mean(qrels, kFiveRun, "ndcg"), 0);
  EXPECT_NEAR(mean(qrels, kFiveRun, "gm_map"), .00001, 1e-12);
}

TEST(Measures, JudgedOnlyThatLeavesNothingIsZero) {
  EvaluateOptions options;
  options.judged_only = true;
  for (const double value : means("q 0 other 1\n", kFiveRun, {"all_trec"}, options)) EXPECT_TRUE(std::isfinite(value));
}

TEST(Measures, OnlyTheFirstRanksAreLookedAtWithALimit) {
  EvaluateOptions options;
  options.max_passages = 3;
  EXPECT_EQ(means(kFiveQrels, kFiveRun, {"num_ret", "num_rel_ret"}, options), (std::vector<double>{3, 1}));
}

TEST(Accuracy, IsTheShareOfPairsInTheRightOrder) {
  EXPECT_NEAR(mean(kFiveQrels, kFiveRun, "Accuracy"), 1 - 2 / 6., kPrintedTolerance);  // b is behind x and u
  EXPECT_NEAR(mean(kFiveQrels, kFiveRun, "Accuracy@3"), 1, kPrintedTolerance);
  EXPECT_NEAR(mean(kGraded, kFiveRun, "Accuracy(rel=2)"), 1 - 3 / 4., kPrintedTolerance);
}

TEST(Accuracy, ATopicWithoutAPairHasNoValue) {
  const std::string qrels = kFiveQrels + "r 0 a 1\ns 0 a 0\n", run = kFiveRun + "r Q0 a 1 9 t\ns Q0 a 1 9 t\n";
  EXPECT_NEAR(mean(qrels, run, "Accuracy"), 1 - 2 / 6., kPrintedTolerance);
  EXPECT_TRUE(std::isnan(mean("r 0 a 1\n", "r Q0 a 1 9 t\n", "Accuracy")));
}

TEST(Compat, IsTheOverlapWithTheIdealRanking) {
  // Of the ideal ranking a, b, c, a is found at rank 1 and b at rank 4. c is not retrieved.
  const double found = 1 + .5 / 2 + .25 / 3 + .125 * 2 / 4 + .0625 * 2 / 5;
  const double best = 1 + .5 + .25 + .125 * 3 / 4 + .0625 * 3 / 5, weights = 1.9375;
  EXPECT_NEAR(mean(kFiveQrels, kFiveRun, "Compat(p=0.5)"), found / best, kPrintedTolerance);
  EXPECT_NEAR(mean(kFiveQrels, kFiveRun, "Compat(p=0.5,normalize=False)"), found / weights, kPrintedTolerance);
  EXPECT_NEAR(mean(kFiveQrels, kFiveRun, "Compat"), mean(kFiveQrels, kFiveRun, "Compat(p=0.95)"), 1e-12);
}

TEST(Compat, HigherGradesComeFirstInTheIdealRanking) {
  // The ideal ranking is b, a: both are common from rank 2 on.
  EXPECT_NEAR(mean("q 0 a 1\nq 0 b 2\n", "q Q0 a 1 9 t\nq Q0 b 2 8 t\n", "Compat(p=0.5)"), .5 / 1.5, kPrintedTolerance);
  EXPECT_NEAR(mean("q 0 a 1\nq 0 b 2\n", "q Q0 b 1 9 t\nq Q0 a 2 8 t\n", "Compat(p=0.5)"), 1, kPrintedTolerance);
}

// Computed from the formulas of cwl_eval (cwl_inst.py, cwl_insq.py, cwl_metrics.py) in Python.
TEST(Inst, HasTheValuesOfCwlEvalsFormulas) {
  EXPECT_NEAR(mean(kGraded, kFiveRun, "INST(max_rel=3)"), 0.19240346537557795, 1e-12);
  EXPECT_NEAR(mean(kGraded, kFiveRun, "INSQ(T=2,max_rel=3)"), 0.12176646239420358, 1e-12);
  EXPECT_NEAR(mean(kGraded, kFiveRun, "INST(min_rel=1,max_rel=3)"), 0.032037457999525634, 1e-12);
}

}  // namespace
}  // namespace touchstone::analysis::measures
