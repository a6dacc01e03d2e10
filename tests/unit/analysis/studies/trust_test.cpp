#include "analysis/studies/trust/trust_numbers.hpp"
#include "analysis/studies/trust/trust_summary.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "tests/unit/analysis/sample_files.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

namespace touchstone::analysis::studies::trust {
namespace {

namespace fs = std::filesystem;
using analysis::testing::SampleFiles;

class TrustInputsTest : public ::testing::Test {
 protected:
  TrustInputsTest() : folder_(fs::temp_directory_path() / ("trust_test-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~TrustInputsTest() override { fs::remove_all(folder_); }

  void put(const fs::path& name, const std::string& text = "") const {
    fs::create_directories((folder_ / name).parent_path());
    write_file_atomically(folder_ / name, text);
  }

  fs::path folder_;
};

TEST_F(TrustInputsTest, FindsTheJudgmentsOfEachKindOfPlace) {
  put("evidence/qrels.txt");
  put("evidence/qrels/test.tsv");
  put("evidence/corpus.jsonl.gz");
  put("evidence/topics.tsv");
  const auto evidence = find_trust_inputs(folder_ / "evidence");
  EXPECT_EQ(evidence.qrels, folder_ / "evidence/qrels.txt");
  EXPECT_EQ(evidence.form, QrelsForm::kTrec);
  EXPECT_EQ(evidence.corpus, folder_ / "evidence");
  EXPECT_TRUE(evidence.has_topics);

  put("automatic/trec/test.hierarchical.qrels");
  put("automatic/dedup.articles-paragraphs.cbor");
  const auto automatic = find_trust_inputs(folder_ / "automatic");
  EXPECT_EQ(automatic.qrels, folder_ / "automatic/trec/test.hierarchical.qrels");
  EXPECT_TRUE(automatic.corpus.empty());
  EXPECT_TRUE(automatic.has_topics);

  put("beir/qrels/test.tsv");
  put("beir/corpus.jsonl");
  const auto beir = find_trust_inputs(folder_ / "beir");
  EXPECT_EQ(beir.form, QrelsForm::kBeir);
  EXPECT_FALSE(beir.has_topics);

  put("other/2019qrels-pass.txt");
  EXPECT_EQ(find_trust_inputs(folder_ / "other").qrels, folder_ / "other/2019qrels-pass.txt");
  EXPECT_EQ(find_trust_inputs(folder_ / "other/2019qrels-pass.txt").qrels, folder_ / "other/2019qrels-pass.txt");
}

TEST_F(TrustInputsTest, RefusesPlacesThatLeaveTheJudgmentsOpen) {
  EXPECT_THROW(find_trust_inputs(folder_ / "nowhere"), ConfigError);
  EXPECT_THROW(find_trust_inputs(folder_), ConfigError);
  put("a.qrels");
  put("b.qrels");
  EXPECT_THROW(find_trust_inputs(folder_), ConfigError);
}

TEST_F(TrustInputsTest, WritesJudgmentsOfBeirAsTrecQrels) {
  put("test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n");
  write_trec_qrels(folder_ / "test.tsv", folder_ / "qrels.txt");
  EXPECT_EQ(read_file(folder_ / "qrels.txt", 1000), "q1 0 d1 2\nq1 0 d2 0\n");
  put("bad.tsv", "query-id\tcorpus-id\tscore\nq1\td1\n");
  EXPECT_THROW(write_trec_qrels(folder_ / "bad.tsv", folder_ / "qrels.txt"), FormatError);
}

/// Topics with documents d0 ... d9, of which d0 ... d3 are relevant. System s ranks s documents that are not relevant
/// before the relevant ones, one more on every third topic.
struct SampleRuns {
  SampleFiles files;

  TrustNumbers numbers(int topics, const std::vector<int>& ahead, const std::string& leave_out = "") const {
    std::string qrels;
    for (int t = 0; t < topics; ++t) {
      for (int d = 0; d < 10; ++d) {
        const auto docid = "d" + std::to_string(d);
        if (leave_out.find(docid) == std::string::npos)
          qrels += "t" + std::to_string(t) + " 0 " + docid + (d < 4 ? " 1\n" : " 0\n");
      }
    }
    std::vector<std::string> runs;
    for (std::size_t s = 0; s < ahead.size(); ++s) {
      std::string run;
      for (int t = 0; t < topics; ++t) {
        const int first = 4 + (t + static_cast<int>(s)) % 3;
        std::vector<int> ranking;
        for (int i = 0; i < ahead[s] + (t % 3 == 0 ? 1 : 0); ++i) ranking.push_back(first + i);
        for (int d = 0; d < 4; ++d) ranking.push_back(d);
        for (std::size_t i = 0; i < ranking.size(); ++i)
          run += "t" + std::to_string(t) + " Q0 d" + std::to_string(ranking[i]) + " 1 " +
                 std::to_string(100 - static_cast<int>(i)) + " s" + std::to_string(s) + "\n";
      }
      runs.push_back(files.write("s" + std::to_string(s), run).string());
    }
    const JudgedRuns judged(files.write("qrels", qrels), runs, {true});
    const measures::LabelScorer scorer(measures::parse_measure("AP").front(), 1);
    TrustPlan plan;
    plan.permutations = 2000;
    return trust_numbers(judged, scorer, plan);
  }
};

StudyOutput output_of(std::string study, std::vector<Finding> findings) {
  StudyOutput output;
  output.study = std::move(study);
  output.findings = std::move(findings);
  return output;
}

TEST(TrustNumbers, ASystemIsBetterThanTheLastOnesOfTheLeaderboard) {
  const auto numbers = SampleRuns().numbers(30, {0, 0, 3});
  ASSERT_EQ(numbers.systems.size(), 3U);
  EXPECT_EQ(numbers.significant, 2U);
  EXPECT_EQ(numbers.systems[0].better_than, 1U);
  EXPECT_EQ(numbers.systems[1].better_than, 1U);
  EXPECT_EQ(numbers.systems[2].better_than, 0U);
  EXPECT_EQ(numbers.systems[2].system, "s2");
  EXPECT_LT(numbers.systems[0].low, numbers.systems[0].mean);
  EXPECT_EQ(numbers.unjudged, 0U);
  EXPECT_FALSE(numbers.has_judged_only);
}

TEST(TrustNumbers, PairsThatDependOnUnjudgedDocumentsAreCounted) {
  // d4 ... d8, which s1 ranks first, have no label; without them both systems are equal.
  const auto numbers = SampleRuns().numbers(30, {0, 3}, "d4 d5 d6 d7 d8");
  EXPECT_EQ(numbers.significant, 1U);
  ASSERT_TRUE(numbers.has_judged_only);
  EXPECT_EQ(numbers.lost, 1U);
  EXPECT_EQ(numbers.gained, 0U);
  const auto findings = trust_findings(numbers, {});
  EXPECT_EQ(findings.front().verdict, Verdict::kBad);
  EXPECT_NE(findings.front().statement.find("1 of the 1 pairs"), std::string::npos) << findings.front().statement;
  EXPECT_NE(findings.back().statement.find("judging documents without a label"), std::string::npos)
      << findings.back().statement;
}

TEST(TrustNumbers, LabelsOfRelevantDocumentsOnlyCannotSayWhatTheOthersAre) {
  const auto numbers = SampleRuns().numbers(30, {0, 3}, "d4 d5 d6 d7 d8 d9");
  EXPECT_TRUE(numbers.lists_relevant_only);
  EXPECT_FALSE(numbers.has_judged_only);
  EXPECT_EQ(trust_findings(numbers, {}).front().verdict, Verdict::kCaution);
}

TEST(TrustFindings, TheAnswerCountsThePairsThatOneMayClaim) {
  const auto findings = trust_findings(SampleRuns().numbers(30, {0, 0, 3}), {});
  EXPECT_EQ(findings.front().verdict, Verdict::kGood);
  EXPECT_NE(findings.front().statement.find("Of 3 pairs of systems, these labels tell 2 apart by AP; do not claim an "
                                            "order for the other one"),
            std::string::npos)
      << findings.front().statement;
  EXPECT_NE(findings[3].statement.find("Assessors: not known"), std::string::npos);
  for (std::size_t i = 1; i < findings.size(); ++i) EXPECT_EQ(findings[i].verdict, Verdict::kFact);
}

TEST(TrustFindings, WithoutAPairThatIsToldApartThereIsNoVerdict) {
  const std::pair<int, std::vector<int>> cases[] = {{2, {0, 1, 2}}, {30, {1, 1}}, {1, {0, 3}}, {30, {0}}};
  const char* const words[] = {"tell none of the 3 pairs", "have the same AP", "One topic cannot tell", "one system"};
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const auto findings = trust_findings(SampleRuns().numbers(cases[i].first, cases[i].second), {});
    EXPECT_EQ(findings.front().verdict, Verdict::kFact);
    EXPECT_NE(findings.front().statement.find(words[i]), std::string::npos) << findings.front().statement;
  }
}

TEST(TrustSummary, StudiesAreNotesAndDoNotChangeTheAnswer) {
  const std::vector<StudyOutput> outputs = {output_of("partial", {{Verdict::kBad, "one label is not enough", "rule"}}),
                                            output_of("reannotation", {{Verdict::kGood, "They agree.", "rule"}})};
  const std::vector<LeftOutStudy> left_out = {{"positions", "there are no snippets"}};
  const auto numbers = SampleRuns().numbers(30, {0, 0, 3});
  const auto summary = summarize({"c", "q", {"a", "b", "c"}, false}, numbers, outputs, left_out);
  EXPECT_EQ(summary.findings.front().verdict, Verdict::kGood);
  for (const auto& finding : summary.findings) EXPECT_NE(finding.verdict, Verdict::kBad) << finding.statement;
  EXPECT_EQ(summary.findings[3].statement, "Assessors: They agree.");
  EXPECT_EQ(summary.tables[0].name, "leaderboard");
  EXPECT_EQ(std::get<std::string>(summary.tables[0].rows[0][5]), "rank 3");
  EXPECT_EQ(std::get<std::string>(summary.tables[0].rows[0][6]), "rank 2");
  EXPECT_EQ(std::get<std::string>(summary.tables[0].rows[2][6]), "none");
  EXPECT_EQ(summary.tables[1].name, "pairs");
  EXPECT_EQ(summary.tables[1].rows.size(), 3U);
  EXPECT_EQ(summary.tables[2].name, "notes");
  EXPECT_EQ(summary.tables[2].rows.size(), 2U);
  EXPECT_EQ(std::get<std::string>(summary.tables[3].rows[2][1]), "left out");
  EXPECT_EQ(findings_table(outputs).rows.size(), 2U);
}

TEST(TrustSummary, RunsOfOurOwnSystemsCallForCaution) {
  const auto summary = summarize({"c", "q", {"a"}, true}, SampleRuns().numbers(30, {0, 0, 3}), {}, {});
  EXPECT_EQ(summary.findings.back().verdict, Verdict::kCaution);
}

}  // namespace
}  // namespace touchstone::analysis::studies::trust
