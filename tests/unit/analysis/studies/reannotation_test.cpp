#include "analysis/studies/reannotation/assessor_grades.hpp"
#include "analysis/studies/reannotation/order_stability.hpp"
#include "tests/unit/analysis/sample_files.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

namespace touchstone::analysis::studies::reannotation {
namespace {

using analysis::testing::message_of;
using analysis::testing::SampleFiles;

// The first assessor agrees with the original one, the second turns the grades of topic 1. Topic 2 has one assessor.
const char* const kOriginal = "1 0 a 3\n1 0 b 0\n1 0 c 0\n2 0 d 1\n";
const char* const kSame = "1 0 a 3\n1 0 b 0\n2 0 d 1\n";
const char* const kTurned = "1 0 a 0\n1 0 b 3\n";

struct Sample {
  SampleFiles files;
  JudgedRuns runs;
  AssessorGrades grades;
  measures::LabelScorer scorer;
  Sample()
      : runs(files.write("qrels", kOriginal), run_files()),
        grades(runs, {files.write("same", kSame), files.write("turned", kTurned)}),
        scorer(measures::parse_measures(std::vector<std::string>{"nDCG@10"}).front(), 1) {}
  std::vector<std::string> run_files() const {
    return {files.write("r1", "1 Q0 a 1 9 r1\n1 Q0 b 2 8 r1\n2 Q0 d 1 9 r1\n").string(),
            files.write("r2", "1 Q0 b 1 9 r2\n1 Q0 x 2 8 r2\n2 Q0 d 1 9 r2\n").string()};
  }
};

TEST(Reannotation, TakesEachCombinationOfAssessorsOnce) {
  const Sample sample;
  ProgressCounters progress;
  const StopFlag stop;
  ASSERT_EQ(sample.grades.blocks().size(), 2U);
  const auto all = combination_stability(sample.runs, sample.grades, sample.scorer, {}, progress, stop);
  EXPECT_FALSE(all.sampled);
  ASSERT_EQ(all.scores.size(), 2U);
  EXPECT_DOUBLE_EQ(all.tau_b.mean, 0);
  EXPECT_DOUBLE_EQ(all.tau_b.high, 1);
  EXPECT_DOUBLE_EQ(all.tau_b.low, -1);
}

TEST(Reannotation, SamplesCombinationsBeyondTheBound) {
  const Sample sample;
  ProgressCounters progress;
  const StopFlag stop;
  const auto one =
      combination_stability(sample.runs, sample.grades, sample.scorer, {.combinations = 1}, progress, stop);
  EXPECT_TRUE(one.sampled);
  EXPECT_EQ(one.scores.size(), 1U);
}

TEST(Reannotation, CountsTransitionsAndPairs) {
  const Sample sample;
  const auto numbers = agreement_numbers(sample.runs, sample.grades, 1);
  EXPECT_EQ(numbers.transitions.grades, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(numbers.transitions.counts, (std::vector<std::uint64_t>{1, 0, 1, 0, 1, 0, 1, 0, 1}));
  ASSERT_EQ(numbers.pairs.size(), 3U);
  EXPECT_DOUBLE_EQ(numbers.pairs[0].kappa, 1);
  EXPECT_DOUBLE_EQ(numbers.pairs[1].kappa, -1);
}

TEST(Reannotation, SwapProbabilityIsTheShareOfTheRarerOrder) {
  const auto pairs = swap_pairs({0.5, 0.7}, {{0.5, 0.7}, {0.6, 0.5}, {0.1, 0.7}, {0.5, 0.5}});
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].first, 1U);
  EXPECT_DOUBLE_EQ(pairs[0].probability, 0.25);
}

TEST(Reannotation, OnePairOfManyDoesNotSetTheStableDifference) {
  std::vector<SwapPair> pairs;
  for (int i = 1; i <= 40; ++i) pairs.push_back({0, 1, i / 100.0, i <= 10 ? 0.3 : 0.0});
  EXPECT_DOUBLE_EQ(stable_difference(pairs, 0.05).difference, 0.09);  // 1 of 31 may swap, 2 of 32 may not
  pairs[38].probability = 0.05;                                       // far apart, and yet it swaps
  const auto stable = stable_difference(pairs, 0.05);
  EXPECT_DOUBLE_EQ(stable.difference, 0.1);
  EXPECT_EQ(stable.pairs, 30U);
  EXPECT_EQ(stable.swapping, 1U);
  EXPECT_EQ(stable_difference({{0, 1, 0.5, 0.5}}, 0.05).pairs, 0U);
  EXPECT_EQ(stable_difference({}, 0.05).pairs, 0U);
}

TEST(Reannotation, AssessorsAsRunsAreScoredByTheOriginalLabels) {
  const Sample sample;
  const auto numbers = oracle_numbers(sample.runs, sample.grades, sample.scorer, 20, 1);
  ASSERT_EQ(numbers.oracles.size(), 3U);
  EXPECT_EQ(numbers.topics, 2U);
  EXPECT_DOUBLE_EQ(numbers.oracles[0].by_topic[1], 1);
  EXPECT_LT(numbers.oracles[1].by_topic[0], 1);
}

TEST(Reannotation, StrayJudgmentsMakeNoAssessorOfATopic) {
  const SampleFiles files;
  std::string many, stray = "2 0 d 1\n1 0 p0 0\n";
  for (int i = 0; i < 11; ++i) many += "1 0 p" + std::to_string(i) + " 1\n";
  const std::vector<std::string> run = {files.write("r", "1 Q0 p0 1 9 r\n2 Q0 d 1 9 r\n").string()};
  const JudgedRuns runs(files.write("qrels", many + "2 0 d 1\n"), run);
  const AssessorGrades grades(runs, {files.write("many", many), files.write("stray", stray)});
  ASSERT_EQ(grades.blocks().size(), 2U);
  EXPECT_EQ(grades.blocks()[0].assessors, std::vector<std::size_t>{1});
  EXPECT_EQ(grades.blocks()[1].assessors, std::vector<std::size_t>{2});
}

TEST(Reannotation, PassagesThatNobodyJudgedAgainRankAsGradeZero) {
  const SampleFiles files;
  const std::vector<std::string> run = {files.write("r", "1 Q0 a 1 9 r\n").string()};
  const JudgedRuns runs(files.write("qrels", "1 0 a 1\n1 0 b 1\n"), run);
  const AssessorGrades grades(runs, {files.write("one", "1 0 a 1\n"), files.write("two", "1 0 a 1\n")});
  const measures::LabelScorer scorer(measures::parse_measures(std::vector<std::string>{"nDCG@10"}).front(), 1);
  const auto numbers = oracle_numbers(runs, grades, scorer, 5, 1);
  EXPECT_EQ(numbers.relevant_unseen, 1U);
  EXPECT_DOUBLE_EQ(numbers.oracles[0].score, 1);
}

TEST(Reannotation, ScoresHaveIntervalsOverTopics) {
  const Sample sample;
  const auto numbers = oracle_numbers(sample.runs, sample.grades, sample.scorer, 20, 1);
  // Two values a and b have the standard error |a - b| / 2; Student's t with one degree of freedom is 12.706.
  const auto& oracle = numbers.oracles[1];
  EXPECT_NEAR(oracle.half_width, 12.7062 * std::abs(oracle.by_topic[0] - oracle.by_topic[1]) / 2, 1e-4);
  EXPECT_NEAR(numbers.systems[0].half_width, 0, 1e-12) << "r1 has both topics right";
  EXPECT_GT(numbers.systems[1].half_width, 0);
}

TEST(PublishedNumbers, OrderAndAssessorsOfDeepLearning2019JudgedAgain) {
  const auto data = touchstone::testing::shared_data();
  const auto folder = data / "runs" / "trec-dl-2019", judged = data / "qrels" / "sigir25-reannotation" / "main_qrels";
  TS_NEED_DATA(folder);
  TS_NEED_DATA(judged);
  const auto files_of = [](const std::filesystem::path& place) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(place)) files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
  };
  const auto assessors = files_of(judged);
  const JudgedRuns runs(data / "qrels" / "qrels.dl19-passage.txt", files_of(folder));
  const AssessorGrades grades(runs, {assessors.begin(), assessors.end()});
  const auto scorer = [](const char* measure) {
    return measures::LabelScorer(measures::parse_measure(measure).front(), 2);
  };
  ProgressCounters progress;
  const StopFlag stop;
  const auto order = combination_stability(runs, grades, scorer("nDCG@10"), {}, progress, stop);
  EXPECT_NEAR(order.tau_b.mean, 0.879, 0.0005);
  EXPECT_NEAR(order.rho.mean, 0.972, 0.0005);
  EXPECT_NEAR(order.average_overlap.mean, 0.888, 0.0005);
  // Table 6, the minimum over assessors. Without passages that nobody judged again it would be .786, .692 and .883.
  const std::pair<const char*, double> minimum[] = {{"nDCG@10", 0.7584}, {"P@10", 0.6792}, {"R@100", 0.7489}};
  for (const auto& [measure, expected] : minimum)
    EXPECT_NEAR(oracle_numbers(runs, grades, scorer(measure), 50, 1).oracles[0].score, expected, 0.004) << measure;
}

TEST(Reannotation, NeedsTwoAssessors) {
  const Sample sample;
  const auto one = sample.files.write("one", kSame);
  EXPECT_NE(message_of([&] { AssessorGrades(sample.runs, {one}); }).find("at least 2"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::analysis::studies::reannotation
