#include "pipeline/judging/panel_reading.hpp"

#include "common/error.hpp"
#include "tests/support/memory_reply_store.hpp"
#include "tests/unit/pipeline/judging/scripted_judge.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging {
namespace {

/// A judge with one answer, or several samples, to everything.
class FixedJudge : public Judge {
 public:
  FixedJudge(std::string id, std::vector<llm_client::JudgeAnswer> answers, int highest_grade, int evidence_grade)
      : answers_(std::move(answers)) {
    description_.highest_grade = highest_grade;
    description_.evidence_grade = evidence_grade;
    description_.id = description_.name = std::move(id);
    description_.prompt_digest = "prompt of " + description_.id;
  }
  const JudgeDescription& description() const override { return description_; }
  JudgeReading read(const std::string&, const JudgeRequest&, Ungraded) const override {
    JudgeReading reading;
    for (const auto& answer : answers_)
      reading.samples.push_back({description_.id + std::to_string(reading.samples.size()),
                                 llm_client::StoredReply{description_.id, {}}, answer});
    return reading;
  }

 private:
  JudgeDescription description_;
  std::vector<llm_client::JudgeAnswer> answers_;
};

llm_client::JudgeAnswer graded(int grade, double probability) {
  llm_client::JudgeAnswer answer;
  answer.state = JudgmentState::kJudged;
  answer.grade = grade;
  answer.probability = probability;
  return answer;
}

class PanelReadingTest : public ::testing::Test {
 protected:
  void add(const std::string& id, std::vector<llm_client::JudgeAnswer> answers, int highest_grade = 1,
           int evidence_grade = 1) {
    judges.push_back(std::make_unique<FixedJudge>(id, std::move(answers), highest_grade, evidence_grade));
  }
  void add_unanswered(const std::string& id) {
    judges.push_back(std::make_unique<ScriptedJudge>(id, store, [](const auto&) { return std::nullopt; }));
  }
  PanelReading read() { return read_panel(JudgePanel(std::move(judges), rules), "topic", question, Ungraded::kKeep); }

  testing::MemoryReplyStore store;
  std::vector<std::unique_ptr<Judge>> judges;
  PanelRules rules;
  static JudgeQuestion example() {
    JudgeQuestion made{{"List", {}, "Name", "Amber", {}, "Coast", "text", {{1, 2}}, true}, PageId{7}};
    made.request.docid = "w-1-0";
    return made;
  }
  JudgeQuestion question = example();
};

TEST_F(PanelReadingTest, ALoneJudgesAnswerIsTheJudgment) {
  add("a", {graded(1, 0.7)});
  const auto reading = read();
  EXPECT_TRUE(reading.pending.empty());
  EXPECT_EQ(reading.record.judge, "a");
  EXPECT_EQ(reading.record.prompt, "prompt of a");
  EXPECT_EQ(reading.record.digest, "a0");
  EXPECT_EQ(reading.record.topic, "topic");
  EXPECT_EQ(reading.record.docid, "w-1-0");
  EXPECT_EQ(reading.record.member, "Amber");
  EXPECT_EQ(reading.record.member_page_id, 7U);
  EXPECT_EQ(reading.record.grade, 1);
  EXPECT_TRUE(reading.record.own_article);
  EXPECT_TRUE(reading.record.votes.empty());
  ASSERT_EQ(reading.contributions.size(), 1U);
  EXPECT_EQ(reading.contributions[0].replies.size(), 1U);
}

TEST_F(PanelReadingTest, SeveralJudgesVoteAndTheirVotesAreListed) {
  add("a", {graded(1, 0.8)});
  add("b", {graded(0, 0.1)});
  add("c", {graded(1, 0.9)});
  const auto reading = read();
  EXPECT_EQ(reading.record.judge, "majority of a, b, c");
  EXPECT_EQ(reading.record.grade, 1);
  EXPECT_EQ(reading.record.probability, 0.6);
  ASSERT_EQ(reading.record.votes.size(), 3U);
  EXPECT_EQ(reading.record.votes[1].judge, "b");
  EXPECT_EQ(reading.record.votes[1].grade, 0);
}

TEST_F(PanelReadingTest, SamplesOfAJudgeVoteFirst) {
  add("a", {graded(1, 0.9), graded(1, 0.9), graded(0, 0.1)});
  const auto reading = read();
  EXPECT_EQ(reading.record.grade, 1);
  EXPECT_EQ(reading.record.probability, 0.6667);
  EXPECT_EQ(reading.record.votes.size(), 3U);
  EXPECT_EQ(reading.contributions.at(0).replies.size(), 3U);
}

TEST_F(PanelReadingTest, JudgesWithOneScaleVoteOnGrades) {
  add("a", {graded(3, 0.9)}, 3, 2);
  add("b", {graded(1, 0.4)}, 3, 2);
  add("c", {graded(1, 0.3)}, 3, 2);
  const auto record = read().record;
  EXPECT_EQ(record.grade, 1);
  EXPECT_FALSE(record.votes.at(0).own_grade);
}

TEST_F(PanelReadingTest, JudgesWithDifferentScalesVoteOnYesAndNoAndTheirGradesAreKept) {
  add("words", {graded(1, 0.8)});
  add("grades", {graded(1, 0.3)}, 3, 2);
  add("strict", {graded(3, 0.9), graded(2, 0.4), graded(3, 0.9)}, 3, 3);
  const auto reading = read();
  EXPECT_EQ(reading.record.grade, 1);
  ASSERT_EQ(reading.record.votes.size(), 5U);
  const auto grades = [&](std::size_t vote) {
    return std::pair(reading.record.votes[vote].grade, reading.record.votes[vote].own_grade);
  };
  using Grades = std::pair<std::optional<int>, std::optional<int>>;
  EXPECT_EQ(grades(0), Grades(1, 1));
  EXPECT_EQ(grades(1), Grades(0, 1));
  EXPECT_EQ(grades(2), Grades(1, 3));
  EXPECT_EQ(grades(3), Grades(0, 2));
  EXPECT_EQ(reading.contributions.at(2).answer.grade, 3) << "the summary counts each judge's own grades";
}

TEST_F(PanelReadingTest, AFirstJudgeOfAnotherScaleDecidesOnYesAndNo) {
  rules = {TieRule::kLowest, true, 0.2, 0.8};
  add("cheap", {graded(3, 0.9)}, 3, 2);
  add_unanswered("dear");
  const auto record = read().record;
  EXPECT_EQ(record.grade, 1);
  ASSERT_EQ(record.votes.size(), 1U);
  EXPECT_EQ(record.votes[0].own_grade, 3);
}

TEST_F(PanelReadingTest, OutsideOfTheBandTheFirstJudgeDecidesAlone) {
  rules = {TieRule::kLowest, true, 0.2, 0.8};
  for (const double sure : {0.1, 0.9}) {
    add("cheap", {graded(sure > 0.5 ? 1 : 0, sure)});
    add_unanswered("dear");
    const auto reading = read();
    EXPECT_TRUE(reading.decided_by_first);
    EXPECT_TRUE(reading.pending.empty());
    EXPECT_EQ(reading.record.judge, "cheap");
    EXPECT_EQ(reading.contributions.size(), 1U);
  }
}

TEST_F(PanelReadingTest, WithinTheBandItsEndsIncludedTheOthersDecide) {
  rules = {TieRule::kLowest, true, 0.2, 0.8};
  for (const double unsure : {0.2, 0.5, 0.8}) {
    add("cheap", {graded(1, unsure)});
    add("dear", {graded(0, 0.3)});
    const auto reading = read();
    EXPECT_FALSE(reading.decided_by_first);
    EXPECT_EQ(reading.record.judge, "dear");
    EXPECT_EQ(reading.record.grade, 0);
    EXPECT_EQ(reading.record.votes.size(), 2U) << "the first judge's is listed, and not counted";
  }
}

TEST_F(PanelReadingTest, AFirstJudgeWithoutAProbabilityDecidesNothing) {
  rules = {TieRule::kLowest, true, 0.2, 0.8};
  auto answer = graded(1, 0);
  answer.probability.reset();
  add("cheap", {answer});
  add_unanswered("dear");
  const auto reading = read();
  ASSERT_EQ(reading.pending.size(), 1U);
  EXPECT_EQ(reading.pending[0].judge, 1U);
}

TEST_F(PanelReadingTest, TheOthersOfACascadeAreNotAskedBeforeTheFirstHasAnswered) {
  rules = {TieRule::kLowest, true, 0.2, 0.8};
  add_unanswered("cheap");
  add_unanswered("dear");
  const auto reading = read();
  ASSERT_EQ(reading.pending.size(), 1U);
  EXPECT_EQ(reading.pending[0].judge, 0U);
}

TEST_F(PanelReadingTest, WithoutAGradeTheReplyIsListed) {
  llm_client::JudgeAnswer answer;
  answer.state = JudgmentState::kRefused;
  answer.reply = "I cannot";
  answer.reason = "declined";
  answer.quotes_not_found = 2;
  add("a", {answer});
  const auto record = read().record;
  EXPECT_EQ(record.state, JudgmentState::kRefused);
  EXPECT_EQ(record.reply, "I cannot");
  EXPECT_EQ(record.reason, "declined; 2 of its quotes not in the passage");
}

}  // namespace
}  // namespace touchstone::pipeline::judging
