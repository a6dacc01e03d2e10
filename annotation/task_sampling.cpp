#include "annotation/task_sampling.hpp"

#include "analysis/audit/sample.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace touchstone::annotation {
namespace {

namespace audit = analysis::audit;
using formats::labeling::Task;

/// Leaves `count` of the elements, drawn by a digest of their names, whatever their order.
template <class Element, class Name>
void keep_sample(std::vector<Element>& elements, std::size_t count, std::uint64_t seed, const Name& name) {
  if (elements.size() <= count) return;
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
  for (std::size_t i = 0; i < elements.size(); ++i) drawn.emplace_back(xxh3_64(name(elements[i]), seed), i);
  std::nth_element(drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(count), drawn.end());
  drawn.resize(count);
  std::sort(drawn.begin(), drawn.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Element> kept;
  for (const auto& [hash, at] : drawn) kept.push_back(std::move(elements[at]));
  elements = std::move(kept);
}

std::string sampling_name(const Task& task) {
  return task.topic + '\n' + task.docid + '\n' + task.member;
}

using TasksByGrade = std::map<std::optional<int>, std::vector<Task>>;

std::vector<audit::Stratum> strata_of(const TasksByGrade& by_grade, int yes_grade) {
  std::vector<audit::Stratum> strata;
  for (const auto& [grade, tasks] : by_grade) {
    auto& stratum = strata.emplace_back();
    stratum.name = grade ? fmt::format("grade {}", *grade) : "no grade";
    stratum.verdict = !grade                ? audit::Verdict::kUngraded
                      : *grade >= yes_grade ? audit::Verdict::kYes
                                            : audit::Verdict::kNo;
    stratum.decisions = tasks.size();
  }
  return strata;
}

}  // namespace

void draw_tasks(std::vector<Task>& tasks, std::size_t size, std::uint64_t seed) {
  if (size == 0 || tasks.size() <= size) return;
  const int yes_grade = formats::labeling::judge_yes_grade(tasks);
  TasksByGrade by_grade;
  for (auto& task : tasks) by_grade[task.judge ? task.judge->grade : std::nullopt].push_back(std::move(task));
  const auto strata = strata_of(by_grade, yes_grade);
  const std::vector<std::uint64_t> taken(strata.size(), 0);
  if (const auto smallest = audit::smallest_sample(strata, taken); strata.size() > 1 && size < smallest) {
    throw ConfigError(
        fmt::format("--sample {} is too few: the labels have {} grades, and two tasks of each take {}; draw more", size,
                    strata.size(), smallest));
  }
  const auto wanted = audit::allocate(strata, taken, size);
  tasks.clear();
  std::size_t at = 0;
  for (auto& [grade, of_grade] : by_grade) {
    const auto& stratum = strata[at];
    keep_sample(of_grade, wanted[at++], seed, sampling_name);
    for (auto& task : of_grade) {
      if (strata.size() > 1) {
        task.stratum = stratum.name;
        task.stratum_size = stratum.decisions;
      }
      tasks.push_back(std::move(task));
    }
  }
}

void choose_probes(std::vector<Task>& tasks, std::size_t count, std::uint64_t seed) {
  std::vector<Task*> open;
  for (auto& task : tasks) {
    if (!task.gold && !task.probe) open.push_back(&task);
  }
  if (open.size() < count)
    throw ConfigError(fmt::format(
        "--probes {} is more than the tasks without a right answer, which are {}; ask for fewer", count, open.size()));
  keep_sample(open, count, seed, [](const Task* task) { return "probe\n" + sampling_name(*task); });
  for (auto* const task : open) task->probe = true;
}

}  // namespace touchstone::annotation
