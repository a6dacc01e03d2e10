#include "annotation/monitoring.hpp"

#include "annotation/methods_text.hpp"
#include "annotation/summary.hpp"
#include "tests/unit/annotation/campaign_folder.hpp"

#include <cmath>
#include <optional>

namespace touchstone::annotation {
namespace {

/// Answers as a table: a row for each task, a column for each person, -1 where there is none.
struct Sample {
  std::vector<Task> tasks;
  std::vector<Annotation> answers;
  std::vector<std::string> people;

  Sample(const std::vector<std::vector<int>>& grades, TaskKind kind = TaskKind::kGrade) {
    for (std::size_t who = 0; who < grades.front().size(); ++who) people.push_back("A" + std::to_string(who + 1));
    for (std::size_t i = 0; i < grades.size(); ++i) {
      Task task;
      task.id = "t" + std::to_string(i);
      task.kind = kind;
      task.topic = "q" + std::to_string(i / 4);
      task.docid = "d" + std::to_string(i);
      tasks.push_back(task);
      for (std::size_t who = 0; who < people.size(); ++who) {
        if (grades[i][who] < 0) continue;
        Annotation answer;
        answer.annotator = people[who];
        answer.task = task.id;
        answer.kind = kind;
        answer.topic = task.topic;
        answer.docid = task.docid;
        if (kind != TaskKind::kSpans) answer.grade = grades[i][who];
        answer.visible_ms = 10'000;
        answer.judged_at_ms = 1'764'000'000'000;  // 2025-11-24 16:00 UTC
        answers.push_back(answer);
      }
    }
  }

  CampaignNumbers measure(std::size_t overlap = 2) const { return measure_campaign(tasks, answers, people, overlap); }
};

/// (2,2), (2,0), (0,0), (0,0), three times: kappa is (3/4 - 1/2) / (1/2).
std::vector<std::vector<int>> half_kappa() {
  std::vector<std::vector<int>> grades;
  for (int i = 0; i < 3; ++i) grades.insert(grades.end(), {{2, 2}, {2, 0}, {0, 0}, {0, 0}});
  return grades;
}

double value_of(const CampaignNumbers& numbers, const std::string& name) {
  for (const auto& number : numbers.agreement) {
    if (number.name == name) return number.value;
  }
  ADD_FAILURE() << "no " << name;
  return 0;
}

TEST(Monitoring, AgreementAsWorkedByHand) {
  const auto numbers = Sample(half_kappa()).measure();
  EXPECT_EQ(numbers.agreement_tasks, 12U);
  EXPECT_DOUBLE_EQ(value_of(numbers, "Cohen's kappa, four grades, mean of pairs"), 0.5);
  EXPECT_DOUBLE_EQ(value_of(numbers, "Cohen's kappa, two grades, mean of pairs"), 0.5);
  // Of 24 grades, 9 are 2 and 15 are 0; 6 of 24 ordered pairs differ: 1 - (6 / 24) / (2 * 9 * 15 / (24 * 23)).
  EXPECT_NEAR(value_of(numbers, "Krippendorff's alpha, two grades"), 1 - 0.25 / (270.0 / 552), 1e-12);
  EXPECT_NEAR(value_of(numbers, "Krippendorff's alpha, four grades, nominal"), 1 - 0.25 / (270.0 / 552), 1e-12);
  for (const auto& person : numbers.annotators) {
    EXPECT_DOUBLE_EQ(person.kappa, 0.5);
    EXPECT_EQ(person.compared, 12U);
  }
}

TEST(Monitoring, KappaOfPairsWithLessThanTenTasksInCommonIsLeftOut) {
  auto grades = half_kappa();
  grades.resize(9);
  EXPECT_TRUE(std::isnan(value_of(Sample(grades).measure(), "Cohen's kappa, four grades, mean of pairs")));
}

TEST(Monitoring, ATieOfTheOthersIsNotCompared) {
  const auto numbers = Sample({{3, 0, 1}, {2, 2, 2}, {1, 1, 0}}).measure(3);
  EXPECT_EQ(numbers.annotators[0].compared, 1U);
  EXPECT_EQ(numbers.annotators[2].compared, 2U);
}

TEST(Monitoring, VotesTakeTheHigherOfTwoGradesAndANoForEvidence) {
  const auto grades = Sample({{3, 0}, {1, 1}, {2, -1}}).measure();
  EXPECT_EQ(grades.tasks, 3U);
  EXPECT_EQ(grades.begun, 3U);
  EXPECT_EQ(grades.complete, 2U);
  EXPECT_EQ(grades.voted, (std::array<std::size_t, 4>{0, 1, 0, 1}));
  EXPECT_EQ(grades.given, (std::array<std::size_t, 4>{1, 2, 1, 1}));
  EXPECT_EQ(Sample({{1, 0}}, TaskKind::kEvidence).measure().voted, (std::array<std::size_t, 4>{1, 0, 0, 0}));
}

TEST(Monitoring, TasksWithoutGradesAreCountedToo) {
  const auto numbers = Sample({{1, 1}, {1, -1}}, TaskKind::kSpans).measure();
  EXPECT_EQ(numbers.begun, 2U);
  EXPECT_EQ(numbers.complete, 1U);
  EXPECT_TRUE(numbers.agreement.empty());
}

TEST(Monitoring, TasksForAllNeedEverybody) {
  Sample sample({{1, 1, -1}, {1, 1, -1}, {1, 1, -1}});
  sample.tasks[0].probe = true;
  sample.tasks[1].gold = 1;
  const auto numbers = sample.measure();
  EXPECT_EQ(numbers.complete, 1U);
  EXPECT_EQ(numbers.annotators[0].checks, 1U);
  EXPECT_EQ(numbers.annotators[0].checks_right, 1U);
}

TEST(Monitoring, MediansAndDaysAndHalfHours) {
  Sample sample({{0, -1}, {0, -1}, {1, -1}, {1, -1}});
  const std::uint64_t times[] = {1'000, 9'000, 3'000, 4'000};
  for (std::size_t i = 0; i < 4; ++i) sample.answers[i].visible_ms = times[i];
  sample.answers[3].judged_at_ms += 86'400'000;
  sample.answers[2].judged_at_ms += 1'799'999;
  const auto numbers = sample.measure();
  EXPECT_DOUBLE_EQ(numbers.annotators[0].median_ms, 3'500);
  EXPECT_TRUE(std::isnan(numbers.annotators[1].median_ms));
  ASSERT_EQ(numbers.days.size(), 2U);
  EXPECT_EQ(numbers.days[0].day, "2025-11-24");
  EXPECT_EQ(numbers.days[0].answers, 3U);
  EXPECT_DOUBLE_EQ(numbers.days[0].mean_ms[0], 5'000);
  EXPECT_DOUBLE_EQ(numbers.days[0].mean_ms[1], 3'000);
  EXPECT_TRUE(std::isnan(numbers.days[0].mean_ms[2]));
  EXPECT_EQ(numbers.half_hours, (std::map<std::int64_t, std::size_t>{{1'764'000'000, 3}, {1'764'086'400, 1}}));
}

TEST(Monitoring, SkippedTasksCountAsNoAnswer) {
  Sample sample({{1, 1}});
  sample.answers[0].skipped = true;
  sample.answers[0].grade.reset();
  sample.answers[1].difficult = true;
  const auto numbers = sample.measure();
  EXPECT_EQ(numbers.annotators[0].skipped, 1U);
  EXPECT_EQ(numbers.annotators[0].graded, 0U);
  EXPECT_EQ(numbers.annotators[1].difficult, 1U);
  EXPECT_EQ(numbers.complete, 0U);
}

TEST(Monitoring, PeopleWhoStandOutAreNamed) {
  // A1 and A2 agree; A3 always says 3, fast, and is wrong in the checks.
  std::vector<std::vector<int>> grades;
  for (int i = 0; i < 40; ++i) grades.push_back({i % 4, i % 4, 3});
  Sample sample(grades);
  for (std::size_t i = 0; i < 10; ++i) sample.tasks[i].gold = static_cast<int>(i % 4);
  for (auto& answer : sample.answers) {
    if (answer.annotator == "A3") answer.visible_ms = 1'000;
  }
  const auto numbers = sample.measure(3);
  EXPECT_TRUE(numbers.annotators[0].suspicions.empty());
  EXPECT_TRUE(numbers.annotators[1].suspicions.empty());
  EXPECT_EQ(
      numbers.annotators[2].suspicions,
      (std::vector<std::string>{"2 of 10 checks right", "takes 1.0 s for a task, where the others' median is 10.0 s",
                                "gives the grade 3 in 100.0 % of all answers",
                                "agrees with the majority of the others no more than by chance (kappa 0.00)"}));
}

TEST(Monitoring, TheJudgeBesidePeople) {
  // The judge says yes to four tasks, people to three of them, and to one of four that it denies.
  Sample sample({{1, 1}, {1, 1}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, {0, 0}, {0, 0}}, TaskKind::kEvidence);
  for (std::size_t i = 0; i < 8; ++i)
    sample.tasks[i].judge = formats::labeling::JudgeDecision{i < 4 ? 1 : 0, {}, "", {}};
  const auto numbers = sample.measure();
  ASSERT_TRUE(numbers.judge);
  EXPECT_EQ(numbers.judge->tasks, 8U);
  EXPECT_EQ(numbers.judge->voted, 8U);
  EXPECT_DOUBLE_EQ(numbers.judge->estimates.precision->value, 0.75);
  EXPECT_DOUBLE_EQ(numbers.judge->estimates.recall->value, 0.75);
  EXPECT_DOUBLE_EQ(numbers.judge->estimates.confirmed_no->value, 0.75);
  EXPECT_DOUBLE_EQ(numbers.judge->kappa.value, 0.5);
}

TEST(Monitoring, StrataOfTheTasksAreWeighed) {
  // Of 100 sure yes, 3 of 4 are evidence; of 20 unsure yes, none of 2; of 300 no, 1 of 4; of 80 left open, 1 of 2.
  Sample sample({{1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {0, 0}, {1, 1}, {0, 0}, {0, 0}, {0, 0}, {1, 1}, {0, 0}},
                TaskKind::kEvidence);
  const auto set = [&](std::size_t begin, std::size_t end, const char* stratum, std::uint64_t size,
                       std::optional<int> grade) {
    for (auto i = begin; i < end; ++i) {
      sample.tasks[i].stratum = stratum;
      sample.tasks[i].stratum_size = size;
      sample.tasks[i].judge = formats::labeling::JudgeDecision{grade, {}, "", {}};
    }
  };
  set(0, 4, "yes 0.8-1.0", 100, 1);
  set(4, 6, "yes 0.4-0.6", 20, 1);
  set(6, 10, "no 0.0-0.2", 300, 0);
  set(10, 12, "unsure 0.2-0.4", 80, {});
  const auto judge = *sample.measure().judge;
  EXPECT_TRUE(judge.is_drawn);
  EXPECT_EQ(judge.tasks, 12U);
  EXPECT_EQ(judge.decisions, 500U);
  EXPECT_DOUBLE_EQ(judge.estimates.precision->value, 75.0 / 120);
  EXPECT_DOUBLE_EQ(judge.estimates.confirmed_no->value, 0.75);
  EXPECT_DOUBLE_EQ(judge.estimates.recall->value, 75.0 / (75 + 75 + 40));
  // Over the ten tasks with yes or no: 3 + 3 of them alike, where 6 x 4 / 10 + 4 x 6 / 10 of 10 are expected.
  EXPECT_DOUBLE_EQ(judge.kappa.value, (0.6 - 0.48) / (1 - 0.48));
}

TEST(Monitoring, WhatTheJudgeLeftOpenCountsAsMissed) {
  Sample sample({{1, 1}, {1, 1}, {1, 1}, {0, 0}}, TaskKind::kEvidence);
  const std::optional<int> grades[] = {1, std::nullopt, std::nullopt, 0};
  for (std::size_t i = 0; i < 4; ++i) sample.tasks[i].judge = formats::labeling::JudgeDecision{grades[i], {}, "", {}};
  const auto judge = *sample.measure().judge;
  EXPECT_FALSE(judge.is_drawn);
  EXPECT_EQ(judge.decisions, 4U);
  EXPECT_DOUBLE_EQ(judge.estimates.precision->value, 1);
  EXPECT_DOUBLE_EQ(judge.estimates.recall->value, 1.0 / 3);
}

TEST(Monitoring, AnEmptyCampaignHasNumbers) {
  const auto numbers = Sample({{-1, -1}}).measure();
  EXPECT_EQ(numbers.begun, 0U);
  EXPECT_TRUE(numbers.agreement.empty());
  EXPECT_TRUE(numbers.days.empty());
  EXPECT_FALSE(numbers.judge);
}

class MethodsTextTest : public CampaignFolder {};

TEST_F(MethodsTextTest, SaysWhatAPaperNeeds) {
  const auto access = people();
  Campaign campaign(folder_, tasks(2), {}, access);
  for (std::size_t who = 0; who < 3; ++who) campaign.post(who, {answer("a" + std::to_string(who), "t0", 1)});
  std::vector<std::string> pseudonyms;
  for (const auto& annotator : access.annotators()) pseudonyms.push_back(annotator.pseudonym);
  const auto numbers = measure_campaign(campaign.tasks(), campaign.annotations(), pseudonyms, 3);
  const auto text = methods_paragraph(numbers, campaign);
  EXPECT_TRUE(
      text.starts_with("3 annotators judged how far a passage answers a query, on the four grades Wrong, Topic, "
                       "Partial and Perfect. Each task was to be judged by 3 people; 1 of 2 tasks have all their "
                       "votes. They gave 3 answers on "))
      << text;
  EXPECT_NE(text.find("Guidelines: version " + campaign.guidelines_version()), std::string::npos);
  const auto table = methods_table(numbers, campaign);
  EXPECT_NE(table.find("voted 1: Topic & 1 (100.0 \\%)"), std::string::npos) << table;
  EXPECT_NE(summary_text(campaign).find("1 of 2 tasks have all their votes, 0 have some."), std::string::npos);
}

TEST_F(MethodsTextTest, SaysWhatPeopleSawAndNotWhatTheLastRunShows) {
  const auto access = people();
  CampaignOptions options;
  options.guidelines = "first";
  Campaign campaign(folder_, tasks(2), options, access);
  Sample sample(half_kappa());
  for (auto& answer : sample.answers) answer.guidelines = "aaa";
  const auto text = [&] { return methods_paragraph(sample.measure(), campaign); };
  EXPECT_NE(text().find(", without seeing the judge's answer or each other's. Guidelines: version aaa."),
            std::string::npos)
      << text();
  EXPECT_NE(text().find("Agreement is over the 12 tasks of 3 topics that two or more people judged; intervals are 95 % "
                        "bootstrap intervals that resample topics. With so few topics they are too narrow."),
            std::string::npos)
      << text();
  for (std::size_t i = 0; i < 4; ++i) {
    sample.answers[i].mode = formats::labeling::ShownMode::kShown;
    sample.answers[i].guidelines = "bbb";
  }
  EXPECT_NE(text().find("They gave 24 answers on 2025-11-24, 4 of them with the answer of the collection's judge in "
                        "view. Guidelines: version aaa and bbb."),
            std::string::npos)
      << text();
}

}  // namespace
}  // namespace touchstone::annotation
