#include "analysis/studies/coverage/coverage_numbers.hpp"
#include "analysis/studies/coverage/human_sample.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "tests/unit/analysis/sample_files.hpp"
#include "tests/unit/analysis/shared_data.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace touchstone::analysis::studies::coverage {
namespace {

using analysis::testing::message_of;
using analysis::testing::SampleFiles;

// Topic 1 has the evidence a, b, c, d; topic 2 the evidence e. Depth 2 of r1: a, x; e. Of r2: a, b; y. Of r3: b, z; e.
const char* const kQrels = "1 0 a 1\n1 0 b 1\n1 0 c 1\n1 0 d 2\n1 0 n 0\n2 0 e 1\n3 0 n 0\n";
const char* const kRuns[] = {
    "1 Q0 a 1 9 r1\n1 Q0 x 2 8 r1\n1 Q0 c 3 7 r1\n2 Q0 e 1 9 r1\n3 Q0 n 1 1 r1\n",
    "1 Q0 a 1 9 r2\n1 Q0 b 2 8 r2\n2 Q0 y 1 9 r2\n3 Q0 n 1 1 r2\n",
    "1 Q0 b 1 9 r3\n1 Q0 z 2 8 r3\n2 Q0 e 1 9 r3\n3 Q0 n 1 1 r3\n",
};

struct Sample {
  SampleFiles files;
  JudgedRuns runs;
  Sample() : runs(files.write("qrels", kQrels), run_files()) {}
  std::vector<std::string> run_files() const {
    std::vector<std::string> names;
    for (int i = 0; i < 3; ++i) names.push_back(files.write("run" + std::to_string(i), kRuns[i]).string());
    return names;
  }
  CoverageNumbers numbers() const { return coverage_numbers(runs, {.depth = 2, .fit_depth = 3}); }
};

TEST(Coverage, IsTheMeanOverTopicsWithEvidence) {
  const auto numbers = Sample().numbers();
  EXPECT_EQ(numbers.topics, 2U);
  EXPECT_EQ(numbers.relevant, 5U);
  EXPECT_DOUBLE_EQ(numbers.pool.coverage, (2.0 / 4 + 1.0) / 2);
  EXPECT_EQ(numbers.pool.found, 3U);
  EXPECT_EQ(numbers.pool.pool, 7U);  // a, b, x, z; e, y; n
  EXPECT_EQ(numbers.pool.unjudged, 3U);
}

TEST(Coverage, ExpectedCoverageIsTheMeanOverAllSubsets) {
  const auto numbers = Sample().numbers();
  // One system: r1 (1/4 + 1) / 2, r2 (2/4 + 0) / 2, r3 (1/4 + 1) / 2. Two: all pairs have a, b; e is in all.
  ASSERT_EQ(numbers.expected.size(), 3U);
  EXPECT_NEAR(numbers.expected[0], (0.625 + 0.25 + 0.625) / 3, 1e-12);
  EXPECT_NEAR(numbers.expected[1], 0.75, 1e-12);
  EXPECT_NEAR(numbers.expected[2], numbers.pool.coverage, 1e-12);
}

TEST(Coverage, ListsWhatHasNoLabel) {
  const auto unjudged = Sample().numbers().unjudged;
  ASSERT_EQ(unjudged.size(), 3U);
  EXPECT_EQ(unjudged[0].topic + unjudged[0].docid, "1x");
  EXPECT_EQ(unjudged[0].best_rank, 2U);
  EXPECT_EQ(unjudged[1].docid, "z");
  EXPECT_EQ(unjudged[2].topic + unjudged[2].docid, "2y");
  std::vector<std::uint64_t> draws;
  for (const auto& passage : unjudged) {
    EXPECT_EQ(passage.stratum, "1");
    EXPECT_EQ(passage.stratum_size, 3U);
    draws.push_back(passage.draw);
  }
  std::sort(draws.begin(), draws.end());
  EXPECT_EQ(draws, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(Coverage, DeeperPoolsFindMore) {
  const auto numbers = Sample().numbers();
  ASSERT_EQ(numbers.depths.size(), 13U);  // 1, 2, 3, and 10, 20, ... 100
  EXPECT_DOUBLE_EQ(numbers.depths[2].coverage, (3.0 / 4 + 1.0) / 2);
  EXPECT_EQ(numbers.depths[3].depth, 10U);
  EXPECT_EQ(numbers.depths[12].depth, 100U);
  EXPECT_DOUBLE_EQ(numbers.depths[12].coverage, numbers.depths[2].coverage);
}

TEST(Coverage, CountsNewEvidenceByDepth) {
  const Sample sample;
  const auto added = count_new_evidence(sample.files.write("new", "1 0 x 1\n1 0 z 1\n2 0 y 0\n"), sample.runs, 1);
  CoveragePlan plan;
  plan.fit_depth = 3;
  const auto numbers = coverage_numbers(sample.runs, plan, &added);
  EXPECT_EQ(numbers.depths[0].new_evidence, 0U);
  EXPECT_EQ(numbers.depths[1].new_evidence, 2U) << "x and z are at rank 2 of a run";
  EXPECT_EQ(numbers.depths[2].new_evidence, 2U);
  const double counts[] = {0, 2, 2};
  EXPECT_DOUBLE_EQ(numbers.new_evidence_by_depth.at(100), fit_log_curve(counts).at(100));
}

TEST(Coverage, CountsNewEvidenceOfJudgedTopicsOnly) {
  const Sample sample;
  const auto added =
      count_new_evidence(sample.files.write("new", "1 0 x 1\n1 0 z 0\n1 0 a 1\n9 0 q 1\n"), sample.runs, 1);
  EXPECT_EQ(added.topics, 1U);
  EXPECT_EQ(added.judged, 2U);
  EXPECT_EQ(added.evidence, 1U);
  EXPECT_EQ(added.known, 4U);
  EXPECT_DOUBLE_EQ(added.share(), 0.25);
}

TEST(LogCurve, GoesThroughPointsOfALogarithm) {
  const double y[] = {0.2, 0.2 + 0.1 * std::log(2), 0.2 + 0.1 * std::log(3)};
  const auto curve = fit_log_curve(y);
  EXPECT_NEAR(curve.a, 0.2, 1e-12);
  EXPECT_NEAR(curve.b, 0.1, 1e-12);
  EXPECT_NEAR(curve.rmse, 0, 1e-12);
  EXPECT_TRUE(std::isnan(fit_log_curve(std::span(y).first(1)).a));
}

TEST(CaptureRecapture, IsChaosEstimatorForIncidences) {
  // Four systems: 6 passages found once, 3 twice, 1 by all. 10 + 3/4 * 36 / 6 = 14.5.
  const std::uint64_t counts[] = {5, 6, 3, 0, 1};
  const auto estimate = capture_recapture(counts);
  EXPECT_EQ(estimate.found, 10U);
  EXPECT_DOUBLE_EQ(estimate.total.value, 14.5);
  EXPECT_DOUBLE_EQ(estimate.recall.value, 10 / 14.5);
  // Variance 3 (.375 * 4 + .5625 * 8 + .140625 * 16) = 24.75; the interval of the unseen 4.5 is log-normal.
  const double factor = std::exp(1.959963984540054 * std::sqrt(std::log(1 + 24.75 / (4.5 * 4.5))));
  EXPECT_NEAR(estimate.total.low, 10 + 4.5 / factor, 1e-9);
  EXPECT_NEAR(estimate.total.high, 10 + 4.5 * factor, 1e-9);
  EXPECT_LT(estimate.recall.low, estimate.recall.value);
}

TEST(CaptureRecapture, NothingIsUnseenIfAllIsFoundOften) {
  const std::uint64_t counts[] = {0, 0, 4, 6};
  EXPECT_DOUBLE_EQ(capture_recapture(counts).recall.value, 1);
}

TEST(CaptureRecapture, OneSystemGivesNoEstimate) {
  const std::uint64_t counts[] = {0, 4};
  EXPECT_TRUE(std::isnan(capture_recapture(counts).recall.value));
}

TEST(HorvitzThompson, WeighsStrataBySize) {
  // 100 / 10 * 2 + 40 / 20 * 5 = 30; variance 100^2 .9 (.2 * .8 * 10/9) / 10 + 40^2 .5 (.25 * .75 * 20/19) / 20.
  const Stratum strata[] = {{"a", 100, 10, 2}, {"b", 40, 20, 5}};
  const auto missed = missed_evidence(strata);
  EXPECT_DOUBLE_EQ(missed.value, 30);
  const double half = 1.959963984540054 * std::sqrt(160.0 + 150.0 / 19);
  EXPECT_NEAR(missed.high, 30 + half, 1e-9);
  EXPECT_NEAR(missed.low, std::max(7.0, 30 - half), 1e-9);
  EXPECT_DOUBLE_EQ(recall_of(70, missed).value, 0.7);
}

TEST(HorvitzThompson, ASampleWithoutEvidenceDoesNotProveThatThereIsNone) {
  const Stratum strata[] = {{"a", 1000, 10, 0}};
  const auto missed = missed_evidence(strata);
  EXPECT_EQ(missed.value, 0);
  EXPECT_EQ(missed.low, 0);
  EXPECT_GT(missed.high, 50);
}

TEST(HumanSample, ReadsJudgedLinesAndCountsWhatTheQrelsMiss) {
  const Sample sample;
  const auto file = sample.files.write("human",
                                       "# by hand\ntopic\tdocid\tstratum\tstratum_size\tbest_rank\tgrade\n"
                                       "1\tx\t1\t3\t2\t1\n2\ty\t1\t3\t1\t0\n");
  const auto read = read_human_sample(file, sample.runs, 1);
  ASSERT_EQ(read.strata.size(), 1U);
  EXPECT_EQ(read.strata[0].sampled, 2U);
  EXPECT_DOUBLE_EQ(read.missed.value, 1.5);
  EXPECT_EQ(read.known, 5U);
  EXPECT_DOUBLE_EQ(read.recall.value, 5 / 6.5);
}

TEST(HumanSample, StrataSpanTheTopicsOfWhichNothingWasDrawn) {
  const Sample sample;
  const auto file = sample.files.write("human",
                                       "topic\tdocid\tstratum\tstratum_size\tgrade\n"
                                       "1\tx\t1\t3\t1\n2\ty\t1\t3\t\n");
  const auto read = read_human_sample(file, sample.runs, 1);
  EXPECT_EQ(read.topics, 1U);
  EXPECT_EQ(read.ungraded, 1U);
  EXPECT_EQ(read.known, 5U) << "of both topics";
  EXPECT_DOUBLE_EQ(read.missed.value, 3);
}

TEST(HumanSample, RefusesBadFilesWithOneSentence) {
  const Sample sample;
  const auto refused = [&](const std::string& text) {
    return message_of([&] { read_human_sample(sample.files.write("human", text), sample.runs, 1); });
  };
  const std::string head = "topic\tdocid\tstratum\tstratum_size\tgrade\n";
  EXPECT_NE(refused("topic\tdocid\n").find(":1: the header has no column \"stratum\""), std::string::npos);
  EXPECT_NE(refused(head).find("has no judged passage"), std::string::npos);
  EXPECT_NE(refused(head + "1\tx\ts\t4\t\n").find("stratum \"s\" has no judged passage"), std::string::npos);
  EXPECT_NE(refused(head + "1\tx\ts\t0\t1\n").find(":2: stratum_size \"0\""), std::string::npos);
  EXPECT_NE(refused(head + "1\tx\ts\t1\t1\n1\ty\ts\t1\t1\n").find("more judged passages than its size"),
            std::string::npos);
  EXPECT_NE(refused(head + "1\tx\ts\t4\t1\n1\ty\ts\t5\t1\n").find("has two sizes"), std::string::npos);
  EXPECT_NE(refused(head + "1\tx\ts\t4\t1\n1\tx\ts\t4\t1\n").find("comes twice"), std::string::npos);
  EXPECT_NE(refused(head + "7\tx\ts\t4\t1\n").find("the topic \"7\" is not one"), std::string::npos);
}

TEST(PublishedNumbers, CoverageOfDeepLearning2019) {
  const auto data = touchstone::testing::shared_data();
  const auto folder = data / "runs" / "trec-dl-2019";
  TS_NEED_DATA(folder);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  const JudgedRuns runs(data / "qrels" / "qrels.dl19-passage.txt", files);
  const auto numbers = coverage_numbers(runs, {});
  EXPECT_EQ(numbers.systems, 61U);
  EXPECT_EQ(numbers.relevant, 4102U);
  EXPECT_NEAR(numbers.pool.coverage, 0.5001, 0.00005);
}

// A tenth of the labels is taken out of the qrels, so that the truth is known; people judge again what is drawn of
// them.
TEST(HumanSample, RecallOfDeepLearning2019IsThatOfTheLabelsThatWereLeft) {
  const auto data = touchstone::testing::shared_data();
  TS_NEED_DATA(data / "runs" / "trec-dl-2019");
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(data / "runs" / "trec-dl-2019"))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  std::string kept;
  std::vector<std::string> drawn;  // topic, docid and grade
  std::size_t relevant = 0, removed = 0, missed = 0;
  for_each_line(data / "qrels" / "qrels.dl19-passage.txt", [&](std::string_view line, std::uint64_t) {
    std::istringstream fields{std::string(line)};
    std::string topic, unused, docid;
    int grade = 0;
    fields >> topic >> unused >> docid >> grade;
    relevant += grade >= 1 ? 1 : 0;
    const auto draw = xxh3_64(topic + " " + docid);
    if (draw % 10 != 0) {
      kept.append(line).append("\n");
      return true;
    }
    ++removed;
    missed += grade >= 1 ? 1 : 0;
    if (draw / 10 % 12 == 0) drawn.push_back(fmt::format("{}\t{}\t{}", topic, docid, grade));
    return true;
  });
  std::string rows = "topic\tdocid\tgrade\tstratum\tstratum_size\n";
  for (const auto& row : drawn) rows += fmt::format("{}\tunlabelled\t{}\n", row, removed);
  const SampleFiles folder;
  const JudgedRuns runs(folder.write("qrels", kept), files);
  const auto sample = read_human_sample(folder.write("human", rows), runs, 1);
  const double truth = 1 - static_cast<double>(missed) / static_cast<double>(relevant);
  EXPECT_LT(sample.topics, runs.topic_count()) << "of some topics nothing was drawn";
  EXPECT_EQ(sample.known, relevant - missed);
  EXPECT_NEAR(sample.recall.value, truth, 0.03);
  EXPECT_LE(sample.recall.low, truth);
  EXPECT_GE(sample.recall.high, truth);
}

}  // namespace
}  // namespace touchstone::analysis::studies::coverage
