#include "pipeline/survey/source_trial.hpp"

#include "pipeline/evidence/evidence_records.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::survey {
namespace {

collection::JudgmentRecord judgment(const std::string& docid, CandidateSource source, int grade, double probability) {
  collection::JudgmentRecord record;
  record.topic = "t1";
  record.docid = docid;
  record.member = "Hook Lighthouse";
  record.member_page_id = 1;
  record.digest = std::string(64, '0');
  record.judge = "lexical/5 (baseline)";
  record.grade = grade;
  record.probability = probability;
  record.source = source;
  return record;
}

TEST(SourceTrial, ASourceIsWorthwhileIfWhatItAddsIsExpectedToBeRight) {
  EXPECT_TRUE((SourceTrial{.questions = 40, .evidence = 10, .probability_sum = 8.6}.is_worthwhile(250)));
  EXPECT_FALSE((SourceTrial{.questions = 40, .evidence = 10, .probability_sum = 8.4}.is_worthwhile(250)));
}

TEST(SourceTrial, ASourceIsNotWorthwhileBeyondItsBudgetOrWithLittleEvidence) {
  EXPECT_TRUE((SourceTrial{.questions = 250, .evidence = 10, .probability_sum = 9}.is_worthwhile(250)));
  EXPECT_FALSE((SourceTrial{.questions = 251, .evidence = 10, .probability_sum = 9}.is_worthwhile(250)));
  EXPECT_FALSE((SourceTrial{.questions = 10, .evidence = 4, .probability_sum = 4}.is_worthwhile(250)));
}

TEST(SourceTrials, AFurtherSourceMayTakeAsManyQuestionsAsOwnArticlesAndLinks) {
  SourceTrials trials;
  trials[CandidateSource::kOwnArticle].questions = 3;
  trials[CandidateSource::kLink].questions = 4;
  trials[CandidateSource::kPage].questions = 50;
  EXPECT_EQ(budget_of(trials), 7U);
}

TEST(SourceTrials, AreCountedAndLeftOutOfAFileOfJudgments) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "judgments.jsonl";
  std::string text;
  for (const auto& record :
       {judgment("w-1-0", CandidateSource::kLink, 1, 0.9), judgment("w-2-0", CandidateSource::kMention, 1, 0.8),
        judgment("w-3-0", CandidateSource::kMention, 0, 0.1)})
    text += evidence::to_line(record);
  testing::write_text(file, text);
  auto trials = count_sources(file);
  EXPECT_EQ(trials[CandidateSource::kMention].questions, 2U);
  EXPECT_EQ(trials[CandidateSource::kMention].evidence, 1U);
  EXPECT_DOUBLE_EQ(trials[CandidateSource::kMention].expected_precision(), 0.8);
  drop_sources(file, {CandidateSource::kMention});
  trials = count_sources(file);
  EXPECT_EQ(trials.size(), 1U);
  EXPECT_EQ(trials[CandidateSource::kLink].questions, 1U);
}

}  // namespace
}  // namespace touchstone::pipeline::survey
