#include "pipeline/judging/human/human_judge.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/labeling/annotation.hpp"
#include "formats/labeling/task.hpp"
#include "pipeline/judging/judgment_log.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::judging::human {
namespace {

using formats::labeling::Annotation;
using formats::labeling::Task;
using formats::labeling::TaskKind;

class HumanJudgeTest : public ::testing::Test {
 protected:
  static JudgeRequest about(const std::string& text) {
    JudgeRequest request{"List of lakes", {"North"}, "Name", "Amber Lake", {}, "Coast", text, {{3, 8}}};
    request.docid = "w-1-0";
    return request;
  }

  /// Reads all questions as the judging loop does; returns what is pending.
  static std::size_t ask(HumanJudge& judge, const std::vector<std::string>& texts) {
    judge.resume();
    std::size_t pending = 0;
    for (const auto& text : texts) {
      for (auto& request : judge.read("t1", about(text), Ungraded::kKeep).pending) {
        judge.ask(std::move(request));
        ++pending;
      }
    }
    return pending;
  }

  std::vector<Task> tasks() const { return formats::labeling::read_tasks(folder_ / "people" / kTasksFile); }

  void answer(const Task& task, const std::string& annotator, std::optional<int> grade, std::int64_t time = 1) {
    Annotation answer;
    answer.id = annotator + std::to_string(time);
    answer.annotator = annotator;
    answer.task = task.id;
    answer.kind = task.kind;
    answer.topic = task.topic;
    answer.docid = task.docid;
    answer.member = task.member;
    answer.grade = grade;
    answer.skipped = !grade;
    answer.spans = {{0, 4}};
    answer.reason = "says so";
    answer.judged_at_ms = time;
    lines_ += annotation_line(answer) + "\n";
    write_file_atomically(folder_ / "people" / kAnswersFile, lines_);
  }

  testing::TemporaryFolder folder_;
  JudgmentLog log_{folder_ / "replies.log", JudgmentLog::Access::kAppend};
  std::string lines_;
};

TEST_F(HumanJudgeTest, QuestionsWithoutAnswersBecomeTasksAndEndTheRun) {
  HumanJudge judge(folder_ / "people", 2, log_);
  EXPECT_EQ(ask(judge, {"one", "two"}), 4U) << "two answers to each";
  const auto message = testing::message_of<Interrupted>([&] { judge.finish(); });
  EXPECT_NE(message.find("2 questions wait for people"), std::string::npos) << message;
  EXPECT_NE(message.find("--overlap 2"), std::string::npos) << message;
  const auto made = tasks();
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].kind, TaskKind::kEvidence);
  EXPECT_EQ(made[0].list, "List of lakes » North » Name");
  EXPECT_EQ(made[0].member, "Amber Lake");
  EXPECT_EQ(made[0].docid, "w-1-0");
  EXPECT_EQ(made[0].mentions, (std::vector<formats::labeling::Span>{{3, 8}}));
}

TEST_F(HumanJudgeTest, TheFirstAnswersBecomeRepliesAndSkippedOnesDoNot) {
  HumanJudge first(folder_ / "people", 2, log_);
  ask(first, {"one"});
  EXPECT_THROW(first.finish(), Interrupted);
  const auto task = tasks().front();
  answer(task, "A1", std::nullopt, 1);
  answer(task, "A3", 0, 3);
  answer(task, "A2", 1, 2);
  answer(task, "A4", 0, 4);

  HumanJudge second(folder_ / "people", 2, log_);
  EXPECT_EQ(ask(second, {"one"}), 0U);
  EXPECT_NO_THROW(second.finish());
  const auto reading = second.read("t1", about("one"), Ungraded::kKeep);
  ASSERT_EQ(reading.samples.size(), 2U);
  EXPECT_EQ(reading.samples[0].answer.grade, 1) << "A2 answered first";
  EXPECT_EQ(reading.samples[1].answer.grade, 0) << "then A3";
  EXPECT_EQ(reading.samples[0].answer.spans, (std::vector<formats::labeling::Span>{{0, 4}}));
  EXPECT_EQ(reading.samples[0].answer.reason, "says so");
}

TEST_F(HumanJudgeTest, AnswersInTheLogKeepTheirPlaceWhenMoreCome) {
  HumanJudge first(folder_ / "people", 2, log_);
  ask(first, {"one"});
  EXPECT_THROW(first.finish(), Interrupted);
  const auto task = tasks().front();
  answer(task, "A2", 1, 5);
  HumanJudge second(folder_ / "people", 2, log_);
  EXPECT_EQ(ask(second, {"one"}), 1U) << "one is missing";
  answer(task, "A1", 0, 2);  // earlier by its time, but later in the file
  HumanJudge third(folder_ / "people", 2, log_);
  EXPECT_EQ(ask(third, {"one"}), 0U);
  const auto reading = third.read("t1", about("one"), Ungraded::kKeep);
  EXPECT_EQ(reading.samples[0].answer.grade, 1);
  EXPECT_EQ(reading.samples[1].answer.grade, 0);
}

TEST_F(HumanJudgeTest, NewQuestionsJoinTheTasksThatAreThere) {
  HumanJudge first(folder_ / "people", 1, log_);
  ask(first, {"one"});
  EXPECT_THROW(first.finish(), Interrupted);
  auto made = tasks();
  made.front().probe = true;
  write_tasks(folder_ / "people" / kTasksFile, made);
  HumanJudge second(folder_ / "people", 1, log_);
  ask(second, {"one", "two"});
  EXPECT_THROW(second.finish(), Interrupted);
  ASSERT_EQ(tasks().size(), 2U);
  std::size_t probes = 0;
  for (const auto& task : tasks()) probes += task.probe ? 1 : 0;
  EXPECT_EQ(probes, 1U) << "what the owner made of a task stays";
}

TEST_F(HumanJudgeTest, AnAnswerOutsideOfYesAndNoIsOneSentence) {
  HumanJudge first(folder_ / "people", 1, log_);
  ask(first, {"one"});
  EXPECT_THROW(first.finish(), Interrupted);
  answer(tasks().front(), "A1", 3);
  HumanJudge second(folder_ / "people", 1, log_);
  const auto message = testing::message_of<FormatError>([&] { second.resume(); });
  EXPECT_NE(message.find("A1 answers 3"), std::string::npos) << message;
}

}  // namespace
}  // namespace touchstone::pipeline::judging::human
