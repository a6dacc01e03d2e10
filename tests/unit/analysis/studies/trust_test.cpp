#include "analysis/studies/trust/trust_inputs.hpp"
#include "analysis/studies/trust/trust_summary.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

namespace touchstone::analysis::studies::trust {
namespace {

namespace fs = std::filesystem;

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

StudyOutput output_of(std::string study, std::vector<Finding> findings) {
  StudyOutput output;
  output.study = std::move(study);
  output.findings = std::move(findings);
  return output;
}

TEST(TrustSummary, TheWorstVerdictCountsAndComesFirst) {
  const std::vector<StudyOutput> outputs = {
      output_of("one", {{Verdict::kGood, "fine", "rule"}, {Verdict::kFact, "a number"}}),
      output_of("two", {{Verdict::kCaution, "mind", "rule"}, {Verdict::kBad, "wrong", "rule"}})};
  const std::vector<LeftOutStudy> left_out = {{"three", "?", "there are no judgments of others"}};
  const auto summary = summarize({"c", "q", {"a", "b"}, false}, outputs, left_out);
  ASSERT_EQ(summary.findings.size(), 4U);
  EXPECT_EQ(summary.findings[0].verdict, Verdict::kBad);
  EXPECT_NE(summary.findings[0].statement.find("2 of 3 studies ran. Their verdicts: 1 good, 1 caution, 1 bad."),
            std::string::npos)
      << summary.findings[0].statement;
  EXPECT_EQ(summary.findings[1].statement, "[two] wrong");
  EXPECT_EQ(summary.findings[2].statement, "[two] mind");
  EXPECT_EQ(summary.findings[3].statement, "[one] fine");
  ASSERT_EQ(summary.tables.front().rows.size(), 3U);
  EXPECT_EQ(std::get<std::string>(summary.tables.front().rows[2][1]), "left out");
  EXPECT_EQ(findings_table(outputs).rows.size(), 4U);
}

TEST(TrustSummary, RunsOfOurOwnSystemsCallForCaution) {
  const std::vector<StudyOutput> outputs = {output_of("one", {{Verdict::kGood, "fine", "rule"}})};
  const auto summary = summarize({"c", "q", {"a"}, true}, outputs, {});
  ASSERT_EQ(summary.findings.size(), 3U);
  EXPECT_EQ(summary.findings[0].verdict, Verdict::kCaution);
  EXPECT_EQ(summary.findings[1].verdict, Verdict::kCaution);
}

}  // namespace
}  // namespace touchstone::analysis::studies::trust
