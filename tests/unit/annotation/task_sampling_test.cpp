#include "annotation/task_sampling.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace touchstone::annotation {
namespace {

using formats::labeling::Task;

/// `counts[g]` tasks of each grade; those of the last entry have none.
std::vector<Task> tasks_of(const std::vector<std::pair<std::optional<int>, std::size_t>>& counts) {
  std::vector<Task> tasks;
  for (const auto& [grade, count] : counts) {
    for (std::size_t i = 0; i < count; ++i) {
      Task task;
      task.topic = "q" + std::to_string(tasks.size() % 7);
      task.docid = "d" + std::to_string(tasks.size());
      if (grade) task.judge = formats::labeling::JudgeDecision{*grade, std::nullopt, "", {}};
      tasks.push_back(std::move(task));
    }
  }
  return tasks;
}

std::map<std::string, std::size_t> drawn_by_stratum(const std::vector<Task>& tasks) {
  std::map<std::string, std::size_t> counts;
  for (const auto& task : tasks) ++counts[task.stratum];
  return counts;
}

std::set<std::string> docids(const std::vector<Task>& tasks) {
  std::set<std::string> names;
  for (const auto& task : tasks) names.insert(task.docid);
  return names;
}

TEST(TaskSampling, RareGradesAreDrawnToo) {
  auto tasks = tasks_of({{0, 900}, {1, 90}, {2, 5}, {3, 1}});
  draw_tasks(tasks, 60, 1);
  EXPECT_EQ(tasks.size(), 60U);
  auto counts = drawn_by_stratum(tasks);
  EXPECT_EQ(counts.size(), 4U);
  EXPECT_EQ(counts["grade 3"], 1U);
  EXPECT_GE(counts["grade 2"], 2U);
  EXPECT_GT(counts["grade 0"], counts["grade 1"]);
  for (const auto& task : tasks) {
    EXPECT_EQ(task.stratum, "grade " + std::to_string(*task.judge->grade));
    EXPECT_EQ(task.stratum_size, (std::map<int, std::uint64_t>{{0, 900}, {1, 90}, {2, 5}, {3, 1}}[*task.judge->grade]));
  }
}

TEST(TaskSampling, TheDrawDependsOnTheSeedAndNotOnTheOrder) {
  const auto all = tasks_of({{0, 300}, {1, 100}, {std::nullopt, 50}});
  auto first = all, reversed = all, other = all;
  std::reverse(reversed.begin(), reversed.end());
  draw_tasks(first, 40, 1);
  draw_tasks(reversed, 40, 1);
  draw_tasks(other, 40, 2);
  EXPECT_EQ(docids(first), docids(reversed));
  EXPECT_NE(docids(first), docids(other));
  EXPECT_EQ(drawn_by_stratum(first).size(), 3U);
}

TEST(TaskSampling, WithoutGradesThereAreNoStrata) {
  auto tasks = tasks_of({{std::nullopt, 50}});
  draw_tasks(tasks, 1, 1);
  ASSERT_EQ(tasks.size(), 1U);
  EXPECT_EQ(tasks[0].stratum, "");
  EXPECT_EQ(tasks[0].stratum_size, 0U);
}

TEST(TaskSampling, AllTasksStayIfThereAreNotMore) {
  for (const std::size_t size : {0, 6, 7}) {
    auto tasks = tasks_of({{0, 4}, {1, 2}});
    draw_tasks(tasks, size, 1);
    EXPECT_EQ(tasks.size(), 6U);
    EXPECT_EQ(tasks[0].stratum, "");
  }
}

TEST(TaskSampling, TooFewForAllGradesAreRefused) {
  auto tasks = tasks_of({{0, 40}, {1, 40}, {2, 1}});
  try {
    draw_tasks(tasks, 4, 1);
    FAIL() << "four tasks cannot hold five";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "--sample 4 is too few: the labels have 3 grades, and two tasks of each take 5; draw more");
  }
}

}  // namespace
}  // namespace touchstone::annotation
