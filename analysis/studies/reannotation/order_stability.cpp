#include "analysis/studies/reannotation/order_stability.hpp"

#include "analysis/agreement/rank_biased_overlap.hpp"
#include "analysis/agreement/rank_correlation.hpp"
#include "analysis/significance/paired_tests.hpp"
#include "analysis/statistics/distributions.hpp"
#include "analysis/statistics/random.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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

using statistics::kEqualScores;
using LabelMaker = std::function<std::vector<measures::TopicLabels>(std::size_t sample)>;

constexpr std::uint64_t kCombinationBlock = std::uint64_t{1} << 40;

void set_label(measures::TopicLabels& labels, std::size_t passage, std::int16_t grade) {
  if (grade != AssessorGrades::kNone) labels.set(passage, grade);
}

Spread spread_of(const std::vector<double>& values) {
  Spread spread{0, values.front(), values.front()};
  for (const double value : values) {
    spread.mean += value / static_cast<double>(values.size());
    spread.low = std::min(spread.low, value);
    spread.high = std::max(spread.high, value);
  }
  return spread;
}

OrderStability stability(const JudgedRuns& runs, const measures::LabelScorer& scorer, std::size_t samples,
                         const LabelMaker& make, ProgressCounters& progress, const StopFlag& stop) {
  OrderStability result;
  if (samples == 0) return result;
  result.scores.resize(samples);
  std::vector<double> tau(samples), rho(samples), overlap(samples);
  const auto original = original_scores(runs, scorer);
  const auto original_order = agreement::ranking_of({runs.systems(), original});
  tbb::parallel_for(std::size_t{0}, samples, [&](std::size_t i) {
    stop.check();
    auto& scores = result.scores[i];
    scores = runs.score(scorer, make(i)).means();
    tau[i] = agreement::kendall_tau_b(agreement::count_pairs(original, scores));
    rho[i] = agreement::spearman_rho(original, scores);
    overlap[i] = agreement::average_overlap(original_order, agreement::ranking_of({runs.systems(), scores}));
    ++progress.done;
  });
  result.tau_b = spread_of(tau);
  result.rho = spread_of(rho);
  result.average_overlap = spread_of(overlap);
  return result;
}

/// Ranks from 1; equal scores share their mean rank.
std::vector<double> ranks_of(const std::vector<double>& scores) {
  std::vector<double> ranks;
  for (const double score : scores) {
    double better = 0, equal = 0;
    for (const double other : scores) {
      better += other > score + kEqualScores ? 1 : 0;
      equal += std::abs(other - score) <= kEqualScores ? 1 : 0;
    }
    ranks.push_back(better + (equal + 1) / 2);
  }
  return ranks;
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

std::vector<double> original_scores(const JudgedRuns& runs, const measures::LabelScorer& scorer) {
  return runs.score(scorer, runs.labels()).means();
}

OrderStability combination_stability(const JudgedRuns& runs, const AssessorGrades& grades,
                                     const measures::LabelScorer& scorer, const StabilityPlan& plan,
                                     ProgressCounters& progress, const StopFlag& stop) {
  std::size_t all = 1;
  for (const auto& block : grades.blocks()) {
    if (all <= plan.combinations) all *= block.assessors.size();
  }
  const bool sampled = all > plan.combinations;
  const auto make = [&](std::size_t sample) {
    auto rest = sample;
    statistics::Random random(plan.seed, kCombinationBlock + sample);
    std::vector<measures::TopicLabels> labels;
    for (std::size_t t = 0; t < runs.topic_count(); ++t) {
      auto& topic = labels.emplace_back(grades.passage_count(t));
      for (std::size_t p = 0; p < topic.size(); ++p) set_label(topic, p, grades.grade(t, 0, p));
    }
    for (const auto& block : grades.blocks()) {
      const auto count = block.assessors.size();
      const auto choice = sampled ? random.below(static_cast<std::uint32_t>(count)) : rest % count;
      rest /= count;
      for (const auto t : block.topics) {
        for (std::size_t p = 0; p < labels[t].size(); ++p)
          set_label(labels[t], p, grades.grade(t, block.assessors[choice], p));
      }
    }
    return labels;
  };
  auto result = stability(runs, scorer, sampled ? plan.combinations : all, make, progress, stop);
  result.sampled = sampled;
  return result;
}

OrderStability permutation_stability(const JudgedRuns& runs, const AssessorGrades& grades,
                                     const measures::LabelScorer& scorer, const StabilityPlan& plan,
                                     ProgressCounters& progress, const StopFlag& stop) {
  const auto make = [&](std::size_t sample) {
    statistics::Random random(plan.seed, sample);
    std::vector<measures::TopicLabels> labels;
    std::vector<std::int16_t> given;
    for (std::size_t t = 0; t < runs.topic_count(); ++t) {
      auto& topic = labels.emplace_back(grades.passage_count(t));
      for (std::size_t p = 0; p < topic.size(); ++p) {
        given.clear();
        for (std::size_t a = 0; a <= grades.assessor_count(); ++a) {
          if (const auto grade = grades.grade(t, a, p); grade != AssessorGrades::kNone) given.push_back(grade);
        }
        if (given.size() == 1) topic.set(p, given.front());
        if (given.size() > 1) topic.set(p, given[random.below(static_cast<std::uint32_t>(given.size()))]);
      }
    }
    return labels;
  };
  auto result = stability(runs, scorer, plan.permutations, make, progress, stop);
  result.sampled = true;
  return result;
}

std::vector<SwapPair> swap_pairs(const std::vector<double>& original, const std::vector<std::vector<double>>& samples) {
  std::vector<SwapPair> pairs;
  for (std::size_t i = 0; i < original.size(); ++i) {
    for (std::size_t j = i + 1; j < original.size(); ++j) {
      std::size_t above = 0, below = 0;
      for (const auto& scores : samples) {
        above += scores[i] > scores[j] + kEqualScores ? 1 : 0;
        below += scores[j] > scores[i] + kEqualScores ? 1 : 0;
      }
      const bool ordered = original[i] >= original[j];
      pairs.push_back({ordered ? i : j, ordered ? j : i, std::abs(original[i] - original[j]),
                       static_cast<double>(std::min(above, below)) / static_cast<double>(samples.size())});
    }
  }
  return pairs;
}

StableDifference stable_difference(std::vector<SwapPair> pairs, double alpha) {
  std::sort(pairs.begin(), pairs.end(),
            [](const SwapPair& a, const SwapPair& b) { return a.difference > b.difference; });
  StableDifference stable;
  if (!pairs.empty()) stable.difference = pairs.front().difference;
  std::size_t swapping = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    swapping += pairs[i].probability >= alpha ? 1 : 0;
    const bool is_last = i + 1 == pairs.size();
    if (!is_last && pairs[i + 1].difference == pairs[i].difference) continue;
    if (static_cast<double>(swapping) <= alpha * static_cast<double>(i + 1))
      stable = {is_last ? 0 : pairs[i + 1].difference, i + 1, swapping};
  }
  return stable;
}

std::vector<RankChange> rank_changes(const std::vector<double>& original,
                                     const std::vector<std::vector<double>>& samples) {
  const auto before = ranks_of(original);
  std::vector<std::vector<double>> changes(original.size());
  std::vector<RankChange> result(original.size());
  for (const auto& scores : samples) {
    const auto after = ranks_of(scores);
    for (std::size_t s = 0; s < original.size(); ++s) {
      changes[s].push_back(after[s] - before[s]);
      result[s].mean_score += scores[s] / static_cast<double>(samples.size());
    }
  }
  for (std::size_t s = 0; s < original.size(); ++s) {
    const auto spread = spread_of(changes[s]);
    result[s].original_rank = before[s];
    result[s].original_score = original[s];
    result[s].mean = spread.mean;
    result[s].lowest = spread.low;
    result[s].highest = spread.high;
    result[s].p_value =
        std::min(1.0, significance::internal::wilcoxon_test(changes[s]) * static_cast<double>(original.size()));
  }
  return result;
}

}  // namespace touchstone::analysis::studies::reannotation
