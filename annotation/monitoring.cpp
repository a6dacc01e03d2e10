#include "annotation/monitoring.hpp"

#include "analysis/votes/item_votes.hpp"
#include "common/digest.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace touchstone::annotation {
namespace {

namespace agreement = analysis::agreement;
namespace votes = analysis::votes;
using agreement::Ratings;
using formats::labeling::Annotation;
using formats::labeling::JudgeDecision;
using formats::labeling::kHighestGrade;
using formats::labeling::Task;
using formats::labeling::TaskKind;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostAgreementTasks = 20'000, kResamples = 200, kLeastCommon = 10;
constexpr std::uint64_t kSeed = 1;

double median_of(std::vector<double> values) {
  if (values.empty()) return kNan;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// Lowest grade that is a yes.
int yes_from(TaskKind kind) {
  return kind == TaskKind::kGrade ? 2 : 1;
}

/// Kappa of pairs of grades.
double kappa_of(const std::vector<std::pair<int, int>>& pairs) {
  if (pairs.empty()) return kNan;
  Ratings ratings;
  ratings.assessors = {"a", "b"};
  for (const auto& [first, second] : pairs) {
    ratings.items.emplace_back("", std::to_string(ratings.items.size()));
    ratings.grades.insert(ratings.grades.end(), {first, second});
  }
  return agreement::cohen_kappa(ratings, agreement::all_items(ratings));
}

/// The answers to each task by annotator, by the numbers of both.
class AnswerTable {
 public:
  AnswerTable(std::span<const Task> tasks, std::span<const Annotation> answers, std::span<const std::string> pseudonyms)
      : grades_(tasks.size()), votes_(tasks.size()) {
    std::unordered_map<std::string, std::size_t> numbers, people;
    for (std::size_t i = 0; i < tasks.size(); ++i) numbers.emplace(tasks[i].id, i);
    for (std::size_t i = 0; i < pseudonyms.size(); ++i) people.emplace(pseudonyms[i], i);
    for (const auto& answer : answers) {
      const auto task = numbers.find(answer.task);
      const auto who = people.find(answer.annotator);
      if (answer.skipped || task == numbers.end() || who == people.end()) continue;
      ++votes_[task->second];
      if (answer.grade) grades_[task->second].emplace_back(who->second, *answer.grade);
    }
  }

  using Grades = std::vector<std::pair<std::size_t, int>>;  // annotator and grade
  const Grades& of(std::size_t task) const { return grades_[task]; }
  /// Answers with and without a grade.
  std::size_t votes(std::size_t task) const { return votes_[task]; }

 private:
  std::vector<Grades> grades_;
  std::vector<std::size_t> votes_;
};

std::optional<int> majority(const AnswerTable::Grades& grades, std::size_t without, votes::TieRule ties) {
  std::vector<int> others;
  for (const auto& [who, grade] : grades) {
    if (who != without) others.push_back(grade);
  }
  return votes::majority_grade(others, ties);
}

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

/// What FiRA and evidence collections do with a tie.
void measure_people(CampaignNumbers& numbers, std::span<const Task> tasks, std::span<const Annotation> answers,
                    const AnswerTable& table) {
  std::unordered_map<std::string, std::size_t> people, of_task;
  for (std::size_t i = 0; i < numbers.annotators.size(); ++i) people.emplace(numbers.annotators[i].pseudonym, i);
  for (std::size_t i = 0; i < tasks.size(); ++i) of_task.emplace(tasks[i].id, i);
  std::vector<std::vector<double>> times(numbers.annotators.size());
  std::vector<std::map<int, std::size_t>> counts(numbers.annotators.size());
  for (const auto& answer : answers) {
    const auto found = people.find(answer.annotator);
    if (found == people.end()) continue;
    auto& person = numbers.annotators[found->second];
    person.difficult += answer.difficult ? 1 : 0;
    if (answer.skipped) {
      ++person.skipped;
      continue;
    }
    ++person.graded;
    times[found->second].push_back(static_cast<double>(answer.visible_ms));
    if (!answer.grade) continue;
    ++counts[found->second][*answer.grade];
    const auto task = of_task.find(answer.task);
    if (task == of_task.end() || !tasks[task->second].gold) continue;
    ++person.checks;
    person.checks_right += *tasks[task->second].gold == *answer.grade ? 1 : 0;
  }
  std::vector<std::vector<std::pair<int, int>>> compared(numbers.annotators.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (const auto& [who, grade] : table.of(i)) {
      if (const auto others = majority(table.of(i), who, votes::TieRule::kNone))
        compared[who].emplace_back(grade, *others);
    }
  }
  for (std::size_t i = 0; i < numbers.annotators.size(); ++i) {
    auto& person = numbers.annotators[i];
    person.median_ms = median_of(times[i]);
    person.commonest_share = kNan;
    const auto commonest = std::max_element(counts[i].begin(), counts[i].end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
    if (commonest != counts[i].end()) {
      person.commonest_grade = commonest->first;
      person.commonest_share = static_cast<double>(commonest->second) / static_cast<double>(person.graded);
    }
    person.compared = compared[i].size();
    person.kappa = kappa_of(compared[i]);
  }
}

/// What makes an annotator stand out. The bounds are rules of thumb for a look by a person, not verdicts.
void find_suspicions(CampaignNumbers& numbers) {
  constexpr std::size_t kLeastAnswers = 10, kLeastChecks = 5;
  constexpr double kFast = 1.0 / 3, kConstant = 0.95, kMuchMore = 0.15, kRight = 0.6, kLowKappa = 0.2;
  std::vector<double> medians, shares;
  for (const auto& person : numbers.annotators) {
    if (person.graded < kLeastAnswers) continue;
    medians.push_back(person.median_ms);
    if (!std::isnan(person.commonest_share)) shares.push_back(person.commonest_share);
  }
  const double usual_ms = median_of(medians), usual_share = median_of(shares);
  for (auto& person : numbers.annotators) {
    const auto say = [&](std::string sentence) { person.suspicions.push_back(std::move(sentence)); };
    if (person.checks >= kLeastChecks &&
        static_cast<double>(person.checks_right) < kRight * static_cast<double>(person.checks))
      say(fmt::format("{} of {} checks right", person.checks_right, person.checks));
    if (person.graded < kLeastAnswers) continue;
    if (medians.size() > 1 && person.median_ms < kFast * usual_ms) {
      say(fmt::format("takes {} s for a task, where the others' median is {} s",
                      fixed_digits(person.median_ms / 1000, 1), fixed_digits(usual_ms / 1000, 1)));
    }
    if (person.commonest_share >= kConstant && person.commonest_share >= usual_share + kMuchMore)
      say(fmt::format("gives the grade {} in {} of all answers", person.commonest_grade,
                      percent(person.commonest_share)));
    if (person.compared >= 2 * kLeastAnswers && person.kappa < kLowKappa)
      say(fmt::format("agrees with the majority of the others {} more than by chance (kappa {})",
                      person.kappa > 0 ? "little" : "no", fixed_digits(person.kappa, 2)));
  }
}

void measure_days(CampaignNumbers& numbers, std::span<const Annotation> answers) {
  std::map<std::string, DayNumbers> days;
  for (const auto& answer : answers) {
    constexpr std::int64_t kHalfHour = 1800;
    const auto second = answer.judged_at_ms / 1000;
    ++numbers.half_hours[second / kHalfHour * kHalfHour];
    auto name = fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(second)));
    auto& day = days[name];
    day.day = std::move(name);
    ++day.answers;
    if (!answer.grade || *answer.grade < 0 || *answer.grade > kHighestGrade) continue;
    const auto grade = static_cast<std::size_t>(*answer.grade);
    ++numbers.given[grade];
    ++day.graded[grade];
    day.mean_ms[grade] += static_cast<double>(answer.visible_ms);
  }
  for (auto& [name, day] : days) {
    for (std::size_t grade = 0; grade < day.graded.size(); ++grade)
      day.mean_ms[grade] = day.graded[grade] == 0 ? kNan : day.mean_ms[grade] / static_cast<double>(day.graded[grade]);
    numbers.days.push_back(day);
  }
}

/// Mean of Cohen's kappa over the pairs of annotators with enough tasks in common.
double mean_pair_kappa(const Ratings& ratings) {
  const auto people = ratings.assessors.size();
  std::vector<std::vector<std::pair<int, int>>> pairs(people * people);
  for (std::size_t item = 0; item < ratings.items.size(); ++item) {
    for (std::size_t a = 0; a < people; ++a) {
      if (ratings.at(item, a) == Ratings::kMissing) continue;
      for (std::size_t b = a + 1; b < people; ++b) {
        if (ratings.at(item, b) != Ratings::kMissing)
          pairs[a * people + b].emplace_back(ratings.at(item, a), ratings.at(item, b));
      }
    }
  }
  double sum = 0;
  std::size_t count = 0;
  for (const auto& pair : pairs) {
    const auto kappa = pair.size() < kLeastCommon ? kNan : kappa_of(pair);
    if (std::isnan(kappa)) continue;
    sum += kappa;
    ++count;
  }
  return count == 0 ? kNan : sum / static_cast<double>(count);
}

void measure_agreement(CampaignNumbers& numbers, std::span<const Task> tasks, const AnswerTable& table) {
  std::vector<std::pair<std::uint64_t, std::size_t>> chosen;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (table.of(i).size() > 1) chosen.emplace_back(xxh3_64(tasks[i].id, kSeed), i);
  }
  if (chosen.empty()) return;
  std::sort(chosen.begin(), chosen.end());
  if (chosen.size() > kMostAgreementTasks) chosen.resize(kMostAgreementTasks);
  std::sort(chosen.begin(), chosen.end(), [&](const auto& a, const auto& b) {
    return std::tie(tasks[a.second].topic, a.second) < std::tie(tasks[b.second].topic, b.second);
  });
  Ratings ratings;
  std::set<std::string_view> topics;
  for (const auto& person : numbers.annotators) ratings.assessors.push_back(person.pseudonym);
  for (const auto& [hash, task] : chosen) {
    topics.insert(tasks[task].topic);
    ratings.items.emplace_back(tasks[task].topic, tasks[task].id);
    const auto row = ratings.grades.size();
    ratings.grades.resize(row + ratings.assessors.size(), Ratings::kMissing);
    for (const auto& [who, grade] : table.of(task)) ratings.grades[row + who] = grade;
  }
  numbers.agreement_tasks = chosen.size();
  numbers.agreement_topics = topics.size();
  const auto kind = tasks.front().kind;
  const auto two = agreement::binary_ratings(ratings, yes_from(kind));
  const auto add = [&](std::string name, const Ratings& of, agreement::AgreementStatistic statistic) {
    numbers.agreement.push_back({std::move(name), statistic(of, agreement::all_items(of)),
                                 agreement::bootstrap_interval(of, statistic, kResamples, kSeed)});
  };
  if (kind == TaskKind::kGrade) {
    add("Krippendorff's alpha, four grades, ordinal", ratings, agreement::krippendorff_ordinal);
    add("Krippendorff's alpha, four grades, nominal", ratings, agreement::krippendorff_nominal);
  }
  add("Krippendorff's alpha, two grades", two, agreement::krippendorff_nominal);
  numbers.agreement.push_back(
      {kind == TaskKind::kGrade ? "Cohen's kappa, four grades, mean of pairs" : "Cohen's kappa, mean of pairs",
       mean_pair_kappa(ratings),
       {kNan, kNan}});
  if (kind == TaskKind::kGrade)
    numbers.agreement.push_back({"Cohen's kappa, two grades, mean of pairs", mean_pair_kappa(two), {kNan, kNan}});
}

void measure_tasks(CampaignNumbers& numbers, std::span<const Task> tasks, const AnswerTable& table, std::size_t overlap,
                   std::size_t active) {
  numbers.tasks = tasks.size();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (table.votes(i) == 0) continue;
    ++numbers.begun;
    const bool for_all = tasks[i].probe || tasks[i].gold;
    if (table.votes(i) < (for_all ? active : std::min(overlap, active))) continue;
    ++numbers.complete;
    if (const auto grade = majority(table.of(i), kNobody, votes::usual_tie_rule(tasks[i].kind));
        grade && *grade >= 0 && *grade <= kHighestGrade)
      ++numbers.voted[static_cast<std::size_t>(*grade)];
  }
}

/// The tasks by the stratum that they were drawn from or, if they are no such sample, by what the judge says.
class JudgeStrata {
 public:
  using StratumAnswers = analysis::audit::StratumAnswers;
  using Verdict = analysis::audit::Verdict;

  explicit JudgeStrata(std::span<const Task> tasks)
      : yes_grade_(formats::labeling::judge_yes_grade(tasks)),
        is_drawn_(std::all_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.stratum_size > 0; })) {}

  bool is_drawn() const noexcept { return is_drawn_; }

  Verdict verdict(const JudgeDecision& judge) const {
    if (!judge.grade) return Verdict::kUnsure;
    return *judge.grade >= yes_grade_ ? Verdict::kYes : Verdict::kNo;
  }

  /// Adds a task. The answers of its stratum are valid up to the next one.
  StratumAnswers& add(const Task& task) {
    const auto said = verdict(*task.judge);
    auto& [answers, seen] = strata_[{said, is_drawn_ ? task.stratum : std::string()}];
    answers.verdict = said;
    answers.decisions = std::max({answers.decisions, ++seen, is_drawn_ ? task.stratum_size : 0});
    return answers;
  }

  std::vector<StratumAnswers> answers() const {
    std::vector<StratumAnswers> all;
    for (const auto& [key, stratum] : strata_) all.push_back(stratum.first);
    return all;
  }

 private:
  int yes_grade_;
  bool is_drawn_;
  std::map<std::pair<Verdict, std::string>, std::pair<StratumAnswers, std::uint64_t>> strata_;
};

void measure_judge(CampaignNumbers& numbers, std::span<const Task> tasks, const AnswerTable& table) {
  JudgeNumbers judge;
  JudgeStrata strata(tasks);
  Ratings both;
  both.assessors = {"judge", "people"};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i].judge) continue;
    ++judge.tasks;
    auto& stratum = strata.add(tasks[i]);
    const auto people = majority(table.of(i), kNobody, votes::usual_tie_rule(tasks[i].kind));
    if (!people) continue;
    ++judge.voted;
    const int people_say = *people >= yes_from(tasks[i].kind) ? 1 : 0;
    ++stratum.answered;
    stratum.evidence += static_cast<std::uint64_t>(people_say);
    if (stratum.verdict == JudgeStrata::Verdict::kUnsure) continue;
    both.items.emplace_back(tasks[i].topic, tasks[i].id);
    both.grades.insert(both.grades.end(), {stratum.verdict == JudgeStrata::Verdict::kYes ? 1 : 0, people_say});
  }
  if (judge.tasks == 0) return;
  const auto answers = strata.answers();
  for (const auto& stratum : answers) judge.decisions += stratum.decisions;
  judge.is_drawn = strata.is_drawn();
  judge.estimates = analysis::audit::estimate(answers);
  judge.kappa = {"Cohen's kappa", kNan, {kNan, kNan}};
  if (!both.items.empty()) {
    judge.kappa.value = agreement::cohen_kappa(both, agreement::all_items(both));
    judge.kappa.interval = agreement::bootstrap_interval(both, agreement::cohen_kappa, kResamples, kSeed);
  }
  numbers.judge = std::move(judge);
}

}  // namespace

CampaignNumbers measure_campaign(std::span<const Task> tasks, std::span<const Annotation> answers,
                                 std::span<const std::string> pseudonyms, std::size_t overlap,
                                 std::optional<std::size_t> active) {
  CampaignNumbers numbers;
  for (const auto& pseudonym : pseudonyms) {
    numbers.annotators.emplace_back();
    numbers.annotators.back().pseudonym = pseudonym;
  }
  for (const auto& answer : answers) {
    if (answer.skipped) continue;
    ++numbers.answers;
    numbers.shown += answer.mode == formats::labeling::ShownMode::kShown ? 1 : 0;
    numbers.guidelines.insert(answer.guidelines);
  }
  const AnswerTable table(tasks, answers, pseudonyms);
  measure_people(numbers, tasks, answers, table);
  find_suspicions(numbers);
  measure_days(numbers, answers);
  measure_tasks(numbers, tasks, table, overlap, active.value_or(pseudonyms.size()));
  if (!tasks.empty() && tasks.front().kind != TaskKind::kSpans) {
    measure_agreement(numbers, tasks, table);
    measure_judge(numbers, tasks, table);
  }
  return numbers;
}

}  // namespace touchstone::annotation
