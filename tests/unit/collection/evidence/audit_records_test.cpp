#include "collection/evidence/audit_records.hpp"

#include "collection/evidence/audit_texts.hpp"
#include "collection/evidence/collection_lines.hpp"

#include <gtest/gtest.h>

namespace touchstone::collection::evidence {
namespace {

using formats::labeling::Annotation;
using formats::labeling::TaskKind;

Annotation answer(const std::string& person, std::optional<int> grade, std::int64_t when = 1) {
  Annotation made;
  made.id = person + std::to_string(when);
  made.annotator = person;
  made.kind = TaskKind::kEvidence;
  made.topic = "t1";
  made.docid = "w-5-0";
  made.member = "Page 1";
  made.grade = grade;
  made.skipped = !grade;
  made.judged_at_ms = when;
  return made;
}

JudgmentRecord judged(std::optional<int> grade) {
  JudgmentRecord judgment;
  judgment.topic = "t1";
  judgment.docid = "w-5-0";
  judgment.member = "Page 1";
  judgment.member_page_id = 1;
  judgment.judge = "a judge";
  judgment.prompt = std::string(64, 'a');
  judgment.digest = std::string(64, 'b');
  judgment.grade = grade;
  judgment.state = grade ? JudgmentState::kJudged : JudgmentState::kUnsure;
  judgment.probability = 0.25;
  judgment.reason = "said the judge";
  judgment.spans = {{0, 4}};
  return judgment;
}

AuditRecord audited(std::optional<int> before, std::vector<Annotation> answers, std::optional<int> grade) {
  AuditRecord record;
  record.stratum = "no 0.2-0.4";
  record.outcome = AuditOutcome::kCorrected;
  record.grade = grade;
  record.answers = std::move(answers);
  record.before = judged(before);
  return record;
}

TEST(CountedAnswers, AreTheLastOfEachPerson) {
  std::vector<Annotation> answers = {answer("zoe", 1, 5), answer("ada", 0, 9), answer("ada", 1, 3),
                                     answer("bo", {}, 4)};
  sort_answers(answers);
  const auto counted = counted_answers(answers);
  ASSERT_EQ(counted.size(), 2u);
  EXPECT_EQ(counted[0]->annotator, "ada");
  EXPECT_EQ(counted[0]->grade, 0);
  EXPECT_EQ(counted[1]->annotator, "zoe");
}

TEST(CountedAnswers, LeaveOutAPersonWhoSkippedLast) {
  std::vector<Annotation> answers = {answer("ada", 1, 3), answer("ada", {}, 9)};
  sort_answers(answers);
  EXPECT_TRUE(counted_answers(answers).empty());
}

TEST(JudgmentAfterAnAudit, HasPeoplesGradeAndAllVotes) {
  auto first = answer("ada", 1);
  first.reason = "the text says so";
  first.spans = {{10, 20}};
  auto second = answer("bo", 1);
  second.spans = {{15, 30}, {40, 42}};
  const auto after = judgment_after(audited(0, {first, second, answer("cy", 0)}, 1), 1);
  EXPECT_EQ(after.judge, "people (majority of 3)");
  EXPECT_TRUE(is_by_people(after));
  EXPECT_EQ(after.grade, 1);
  EXPECT_EQ(after.probability, 0.6667);
  EXPECT_EQ(after.reason, "the text says so");
  EXPECT_EQ(after.prompt, "");
  EXPECT_EQ(after.digest, std::string(64, 'b'));
  EXPECT_EQ(after.spans, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{10, 30}, {40, 42}}));
  ASSERT_EQ(after.votes.size(), 4u);
  EXPECT_EQ(after.votes[0].judge, "person ada");
  EXPECT_TRUE(is_of_person(after.votes[2]));
  EXPECT_EQ(after.votes[2].grade, 0);
  EXPECT_EQ(after.votes[3].judge, "a judge");
  EXPECT_EQ(after.votes[3].probability, 0.25);
  EXPECT_FALSE(is_of_person(after.votes[3]));
}

TEST(JudgmentAfterAnAudit, OfATieIsWhatItWas) {
  const auto record = audited(0, {answer("ada", 1), answer("bo", 0)}, std::nullopt);
  EXPECT_EQ(judgment_line(judgment_after(record, 1)), judgment_line(record.before));
}

TEST(JudgmentAfterAnAudit, GivesAGradeWhereTheJudgeHadNone) {
  const auto after = judgment_after(audited(std::nullopt, {answer("ada", 1)}, 1), 1);
  EXPECT_EQ(after.grade, 1);
  EXPECT_EQ(after.state, JudgmentState::kJudged);
  EXPECT_EQ(after.votes.back().state, JudgmentState::kUnsure);
}

TEST(JudgmentAfterAnAudit, KeepsAFinerGradeThatSaysTheSame) {
  EXPECT_EQ(judgment_after(audited(3, {answer("ada", 1)}, 1), 2).grade, 3);
  EXPECT_EQ(judgment_after(audited(1, {answer("ada", 0)}, 0), 2).grade, 1);
  EXPECT_EQ(judgment_after(audited(1, {answer("ada", 1)}, 1), 2).grade, 2);
  EXPECT_EQ(judgment_after(audited(3, {answer("ada", 0)}, 0), 2).grade, 0);
}

TEST(JudgmentAfterAnAudit, DropsTheJudgesSpansIfPeopleSayTheReverse) {
  EXPECT_TRUE(judgment_after(audited(1, {answer("ada", 0)}, 0), 1).spans.empty());
  EXPECT_FALSE(judgment_after(audited(1, {answer("ada", 1)}, 1), 1).spans.empty());
}

TEST(AuditLine, ReadsBackToTheSameBytes) {
  auto odd = answer("ada", 1);
  odd.reason = "quote \" and\nline \xE2\x80\xA8 end";
  odd.difficult = true;
  auto record = audited(0, {odd, answer("bo", {})}, 1);
  const auto line = audit_line(record);
  CollectionLineReader reader;
  const auto read = reader.audited(line);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(audit_line(*read), line);
  EXPECT_EQ(read->answers, record.answers);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(AuditLine, NamesTheFieldThatIsWrong) {
  auto line = audit_line(audited(0, {answer("ada", 1)}, 1));
  line.replace(line.find("corrected"), 9, "corrupted");
  CollectionLineReader reader;
  const auto read = reader.audited(line);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), "has the outcome \"corrupted\"; docs/collection.md lists what it may be; correct it");
}

TEST(AuditText, SaysWhatPeopleDidInWords) {
  AuditSummary audit;
  audit.people = 3;
  audit.audited = 300;
  audit.decisions = 12'974;
  audit.corrections = 1;
  audit.numbers = {{"precision", "", 0.871, 0.832, 0.905}, {"recall", "nobody knows", 0, 0, 0}};
  EXPECT_EQ(audit_statement(audit),
            "3 people judged 300 of 12,974 decisions of the judge again. Over the whole collection, before any "
            "correction, the judge has precision 0.871 (0.832-0.905); in brackets is the 95 % interval. People changed "
            "one label and gave no label where the judge had given none.");
  EXPECT_EQ(number_text(audit.numbers[1]), "not known");
  EXPECT_EQ(audit_remarks(audit), "");
  audit.shown = 2;
  EXPECT_EQ(audit_remarks(audit),
            "2 answers were given with the judge's answer in view, which makes people agree with it more often.");
}

}  // namespace
}  // namespace touchstone::collection::evidence
