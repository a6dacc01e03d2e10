#include "analysis/studies/reannotation/oracle_runs.hpp"

#include "analysis/significance/paired_tests.hpp"
#include "analysis/statistics/distributions.hpp"
#include "analysis/statistics/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <tbb/parallel_for.h>

namespace touchstone::analysis::studies::reannotation {
namespace {

constexpr std::uint64_t kShuffleBlock = std::uint64_t{1} << 41;
constexpr std::size_t kOracles = 3;
constexpr const char* kOracleNames[kOracles] = {"min", "mean", "max"};

struct Graded {
  std::uint32_t passage;
  double grade;
};

std::vector<Graded> graded_passages(const AssessorGrades& grades, std::size_t topic, std::size_t oracle) {
  std::vector<Graded> passages;
  for (std::size_t p = 0; p < grades.passage_count(topic); ++p) {
    double lowest = 0, highest = 0, sum = 0, count = 0;
    for (std::size_t a = 1; a <= grades.assessor_count(); ++a) {
      const auto grade = grades.grade(topic, a, p);
      if (grade == AssessorGrades::kNone) continue;
      lowest = count == 0 ? grade : std::min<double>(lowest, grade);
      highest = count == 0 ? grade : std::max<double>(highest, grade);
      sum += grade;
      ++count;
    }
    const double by_oracle[kOracles] = {lowest, count > 0 ? sum / count : 0, highest};
    if (count > 0 || grades.grade(topic, 0, p) != AssessorGrades::kNone)
      passages.push_back({static_cast<std::uint32_t>(p), by_oracle[oracle]});
  }
  return passages;
}

/// Whether a new assessor judged the passage.
bool is_judged_again(const AssessorGrades& grades, std::size_t topic, std::size_t passage) {
  for (std::size_t a = 1; a <= grades.assessor_count(); ++a) {
    if (grades.grade(topic, a, passage) != AssessorGrades::kNone) return true;
  }
  return false;
}

std::size_t count_judged_again(const AssessorGrades& grades, std::size_t topic) {
  std::size_t count = 0;
  for (std::size_t p = 0; p < grades.passage_count(topic); ++p) count += is_judged_again(grades, topic, p) ? 1 : 0;
  return count;
}

double oracle_score(std::vector<Graded> passages, const measures::LabelScorer& scorer,
                    const measures::TopicLabels& labels, std::size_t shuffles, statistics::Random& random) {
  double sum = 0;
  std::vector<std::uint32_t> ranking(passages.size());
  for (std::size_t s = 0; s < shuffles; ++s) {
    for (std::size_t i = passages.size(); i > 1; --i)
      std::swap(passages[i - 1], passages[random.below(static_cast<std::uint32_t>(i))]);
    auto sorted = passages;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Graded& a, const Graded& b) { return a.grade > b.grade; });
    std::transform(sorted.begin(), sorted.end(), ranking.begin(), [](const Graded& g) { return g.passage; });
    sum += scorer.score(ranking, labels);
  }
  return sum / static_cast<double>(shuffles);
}

/// Scores of one topic.
struct TopicScores {
  std::vector<double> oracles, systems, judged_only;
  std::size_t relevant_unseen = 0;
  bool is_defined() const {
    const auto defined = [](const auto& values) {
      return std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    };
    return !oracles.empty() && defined(oracles) && defined(systems) && defined(judged_only);
  }
};

TopicScores score_topic(const JudgedRuns& runs, const AssessorGrades& grades, const measures::LabelScorer& scorer,
                        const measures::TopicLabels& labels, std::size_t topic, std::size_t shuffles,
                        std::uint64_t seed) {
  TopicScores scores;
  if (count_judged_again(grades, topic) == 0) return scores;
  for (const auto passage : runs.relevant(topic, scorer.min_grade()))
    scores.relevant_unseen += is_judged_again(grades, topic, passage) ? 0 : 1;
  for (std::size_t o = 0; o < kOracles; ++o) {
    statistics::Random random(seed, kShuffleBlock + topic * kOracles + o);
    scores.oracles.push_back(oracle_score(graded_passages(grades, topic, o), scorer, labels, shuffles, random));
  }
  std::vector<std::uint32_t> judged;
  for (std::size_t s = 0; s < runs.systems().size(); ++s) {
    const auto ranking = runs.ranking(s, topic);
    scores.systems.push_back(scorer.score(ranking, labels));
    judged.clear();
    for (const auto passage : ranking) {
      if (passage < runs.judged_count(topic)) judged.push_back(passage);
    }
    scores.judged_only.push_back(scorer.score(judged, labels));
  }
  return scores;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double corrected_t_test(const std::vector<double>& x, const std::vector<double>& y, std::size_t tests) {
  if (x.size() < 2) return std::nan("");
  std::vector<double> differences(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) differences[i] = x[i] - y[i];
  return std::min(1.0, significance::internal::t_test(differences) * static_cast<double>(tests));
}

/// Of the 95 % interval of the mean. NaN for one value, which tells nothing about others.
double half_width_of(const std::vector<double>& values) {
  if (values.size() < 2) return std::nan("");
  const auto n = static_cast<double>(values.size());
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return statistics::t_critical(0.05, n - 1) * std::sqrt(squares / (n - 1) / n);
}

/// Of a minus b. The interval of one topic has no ends.
DifferenceInterval interval_of_difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  const double half = half_width_of(differences), mean = mean_of(differences);
  if (std::isnan(half)) return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  return {mean - half, mean + half};
}

}  // namespace

OracleNumbers oracle_numbers(const JudgedRuns& runs, const AssessorGrades& grades, const measures::LabelScorer& scorer,
                             std::size_t shuffles, std::uint64_t seed) {
  const auto labels = runs.labels();
  std::vector<TopicScores> topics(runs.topic_count());
  tbb::parallel_for(std::size_t{0}, topics.size(), [&](std::size_t t) {
    topics[t] = score_topic(runs, grades, scorer, labels[t], t, shuffles, seed);
  });
  std::erase_if(topics, [](const TopicScores& scores) { return !scores.is_defined(); });
  OracleNumbers numbers;
  numbers.topics = topics.size();
  for (const auto& topic : topics) numbers.relevant_unseen += topic.relevant_unseen;
  if (topics.empty()) return numbers;
  for (std::size_t o = 0; o < kOracles; ++o) {
    OracleRun oracle{kOracleNames[o]};
    for (const auto& topic : topics) oracle.by_topic.push_back(topic.oracles[o]);
    oracle.score = mean_of(oracle.by_topic);
    oracle.half_width = half_width_of(oracle.by_topic);
    numbers.oracles.push_back(oracle);
  }
  const auto tests = runs.systems().size() * kOracles;
  for (std::size_t s = 0; s < runs.systems().size(); ++s) {
    std::vector<double> all, judged;
    for (const auto& topic : topics) {
      all.push_back(topic.systems[s]);
      judged.push_back(topic.judged_only[s]);
    }
    SystemAgainstOracles system{mean_of(all), mean_of(judged), half_width_of(all), half_width_of(judged), {}};
    for (const auto& oracle : numbers.oracles) {
      system.intervals.push_back(interval_of_difference(oracle.by_topic, all));
      system.p_values.push_back(corrected_t_test(all, oracle.by_topic, tests));
      system.p_judged.push_back(corrected_t_test(judged, oracle.by_topic, tests));
    }
    numbers.systems.push_back(system);
  }
  return numbers;
}

}  // namespace touchstone::analysis::studies::reannotation
