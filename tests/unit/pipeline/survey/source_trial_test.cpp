#include "pipeline/survey/source_trial.hpp"

#include "pipeline/evidence/evidence_records.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::survey {
namespace {

collection::evidence::JudgmentRecord judgment(const std::string& docid, CandidateSource source, int grade,
                                              double probability) {
  collection::evidence::JudgmentRecord record;
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
  EXPECT_TRUE((SourceTrial{.evidence = 10, .probability_sum = 8.6}.is_worthwhile()));
  EXPECT_FALSE((SourceTrial{.evidence = 10, .probability_sum = 8.4}.is_worthwhile()));
  EXPECT_FALSE((SourceTrial{.evidence = 4, .probability_sum = 4}.is_worthwhile())) << "four passages tell nothing";
}

TEST(SourceTrials, AFurtherSourceMayTakeAsManyQuestionsAsOwnArticlesAndLinks) {
  SourceTrials trials;
  trials[CandidateSource::kOwnArticle].questions = 3;
  trials[CandidateSource::kLink].questions = 4;
  trials[CandidateSource::kMention].questions = 7;
  trials[CandidateSource::kPage].questions = 8;
  EXPECT_EQ(too_expensive(trials), std::set{CandidateSource::kPage});
}

TEST(SourceTrials, JudgmentsAreCountedAndLeftOut) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "judgments.records";
  evidence::JudgmentFile::write(
      file, {judgment("w-1-0", CandidateSource::kLink, 1, 0.9), judgment("w-2-0", CandidateSource::kMention, 1, 0.8),
             judgment("w-3-0", CandidateSource::kMention, 0, 0.1)});
  SourceTrials trials;
  trials[CandidateSource::kPage].questions = 9;
  count_evidence(file, trials);
  EXPECT_FALSE(trials[CandidateSource::kPage].judged);
  EXPECT_EQ(trials[CandidateSource::kMention].evidence, 1U);
  EXPECT_DOUBLE_EQ(trials[CandidateSource::kMention].expected_precision(), 0.8);
  drop_judgments(file, {CandidateSource::kMention});
  SourceTrials left;
  count_evidence(file, left);
  EXPECT_EQ(left.size(), 1U);
  EXPECT_TRUE(left[CandidateSource::kLink].judged);
}

TEST(SourceTrials, CandidatesAreCountedAndLeftOut) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "candidates.records";
  evidence::TopicCandidates topic{"t1", {{PageId{1}, {}}}};
  topic.members[0].passages = {{PageId{1}, 0, {}, CandidateSource::kOwnArticle},
                               {PageId{2}, 0, {}, CandidateSource::kPage},
                               {PageId{3}, 0, {}, CandidateSource::kPage}};
  evidence::CandidateFile::write(file, {topic});
  EXPECT_EQ(count_questions(file)[CandidateSource::kPage].questions, 2U);
  drop_candidates(file, {CandidateSource::kPage});
  const auto left = count_questions(file);
  EXPECT_EQ(left.size(), 1U);
  EXPECT_EQ(left.at(CandidateSource::kOwnArticle).questions, 1U);
}

}  // namespace
}  // namespace touchstone::pipeline::survey
