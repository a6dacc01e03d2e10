#include "analysis/studies/reannotation/order_stability.hpp"

#include "analysis/agreement/rank_biased_overlap.hpp"
#include "analysis/agreement/rank_correlation.hpp"
#include "analysis/significance/paired_tests.hpp"
#include "analysis/statistics/random.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <tbb/parallel_for.h>

namespace touchstone::analysis::studies::reannotation {
namespace {

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
