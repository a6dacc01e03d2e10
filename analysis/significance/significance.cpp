#include "analysis/significance/significance.hpp"

#include "analysis/significance/paired_tests.hpp"
#include "analysis/significance/randomised_tukey.hpp"
#include "analysis/statistics/distributions.hpp"
#include "analysis/statistics/parallel.hpp"
#include "analysis/statistics/score_matrix.hpp"
#include "common/error.hpp"
#include "common/named_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace touchstone::analysis::significance {
namespace {

using statistics::ScoreMatrix;

void randomised_tukey(const ScoreMatrix& scores, Comparison& comparison) {
  const auto& options = comparison.options;
  const auto fixed = internal::to_fixed(scores);
  const auto ranges = internal::permuted_ranges(fixed, options.permutations, options.seed, options.threads);
  std::vector<std::int64_t> sums(fixed.systems);
  for (std::size_t t = 0; t < fixed.topics; ++t)
    for (std::size_t s = 0; s < fixed.systems; ++s) sums[s] += fixed.values[t * fixed.systems + s];
  for (auto& pair : comparison.pairs) {
    const std::int64_t difference = std::abs(sums[pair.first] - sums[pair.second]) - fixed.tolerance;
    const auto reached = ranges.end() - std::lower_bound(ranges.begin(), ranges.end(), difference,
                                                         [](std::int64_t range, std::int64_t d) { return range < d; });
    pair.raw_p_value = internal::sampled_p_value(static_cast<std::uint64_t>(reached), ranges.size());
  }
  const auto most_reached = internal::most_samples_reached(options.alpha, ranges.size());
  TS_CHECK(most_reached.has_value(), "too few permutations were refused");
  const std::int32_t critical = ranges[ranges.size() - 1 - *most_reached];  // so many permutations reach a larger range
  comparison.critical_difference = static_cast<double>(critical) / fixed.scale / static_cast<double>(fixed.topics);
}

void parametric_tukey(const ScoreMatrix& scores, Comparison& comparison) {
  const auto& anova = comparison.anova;
  const auto groups = static_cast<double>(scores.systems.size());
  const double error = std::sqrt(anova.mean_square_residual / static_cast<double>(scores.topics.size()));
  statistics::in_arena(comparison.options.threads, [&] {
    statistics::for_each_block(comparison.pairs.size(), [&](std::uint64_t i) {
      auto& pair = comparison.pairs[i];
      pair.raw_p_value = pair.difference <= statistics::kEqualScores
                             ? 1
                             : statistics::studentised_range_upper(pair.difference / error, groups, anova.df_residual);
    });
  });
  comparison.critical_difference =
      error * statistics::studentised_range_critical(comparison.options.alpha, groups, anova.df_residual);
}

void paired_tests(const ScoreMatrix& scores, Comparison& comparison) {
  std::vector<SystemPair> pairs;
  for (const auto& pair : comparison.pairs) pairs.push_back({pair.first, pair.second});
  const auto tests = internal::test_pairs(scores, pairs, comparison.options);
  comparison.exact = tests.exact;
  comparison.intervals = tests.intervals;
  for (std::size_t i = 0; i < pairs.size(); ++i) static_cast<PairTest&>(comparison.pairs[i]) = tests.pairs[i];
}

/// Of the quantile; with it a difference at the level itself is significant, as is_significant() decides by p-values.
constexpr double kRounding = 1e-10;

}  // namespace

TwoWayAnova two_way_anova(const statistics::ScoreMatrix& scores) {
  const std::size_t systems = scores.systems.size(), topics = scores.topics.size();
  TS_CHECK(systems >= 2 && topics >= 2, "two-way ANOVA needs two systems and two topics");
  const auto system_means = scores.means();
  std::vector<double> topic_means(topics);
  for (std::size_t t = 0; t < topics; ++t) {
    for (std::size_t s = 0; s < systems; ++s) topic_means[t] += scores.at(s, t);
    topic_means[t] /= static_cast<double>(systems);
  }
  const double grand = std::accumulate(topic_means.begin(), topic_means.end(), 0.0) / static_cast<double>(topics);
  TwoWayAnova anova;
  anova.df_systems = static_cast<double>(systems - 1);
  anova.df_topics = static_cast<double>(topics - 1);
  anova.df_residual = anova.df_systems * anova.df_topics;
  const auto squares = [](const std::vector<double>& means, double centre) {
    double sum = 0;
    for (const double mean : means) sum += (mean - centre) * (mean - centre);
    return sum;
  };
  anova.mean_square_systems = static_cast<double>(topics) * squares(system_means, grand) / anova.df_systems;
  anova.mean_square_topics = static_cast<double>(systems) * squares(topic_means, grand) / anova.df_topics;
  double residual = 0;
  for (std::size_t s = 0; s < systems; ++s) {
    for (std::size_t t = 0; t < topics; ++t) {
      const double rest = scores.at(s, t) - system_means[s] - topic_means[t] + grand;
      residual += rest * rest;
    }
  }
  anova.mean_square_residual = residual / anova.df_residual;
  anova.f_systems = anova.mean_square_residual > 0  ? anova.mean_square_systems / anova.mean_square_residual
                    : anova.mean_square_systems > 0 ? std::numeric_limits<double>::infinity()
                                                    : 0;
  anova.p_systems = statistics::f_upper(anova.f_systems, anova.df_systems, anova.df_residual);
  return anova;
}

const PairComparison& Comparison::at_ranks(std::size_t better, std::size_t worse) const {
  // The pairs of the ranks before `better` come first: n - 1 of the first rank, n - 2 of the second, ...
  return pairs[better * (2 * ranking.size() - better - 1) / 2 + worse - better - 1];
}

const PairComparison& Comparison::of(std::size_t system, std::size_t other) const {
  const auto rank_of = [&](std::size_t s) {
    return static_cast<std::size_t>(std::find(ranking.begin(), ranking.end(), s) - ranking.begin());
  };
  const auto first = rank_of(system), second = rank_of(other);
  return at_ranks(std::min(first, second), std::max(first, second));
}

std::vector<bool> Comparison::not_worse_than_best() const {
  std::vector<bool> result(ranking.size(), true);
  for (std::size_t rank = 1; rank < ranking.size(); ++rank) result[rank] = !at_ranks(0, rank).significant;
  return result;
}

void check_options(const CompareOptions& options) {
  if (!(options.alpha > 0 && options.alpha < 1)) throw ConfigError("--alpha must lie between 0 and 1");
  if (options.permutations < 1 || options.permutations > std::uint64_t{1} << 30)
    throw ConfigError("--permutations must be 1 to 1073741824");
  if (is_for_all_pairs(options.test) && options.correction != Correction::kNone)
    throw ConfigError(fmt::format(
        "--correction {} with --test {} would correct twice: Tukey's test already allows for all pairs; leave "
        "--correction out",
        correction_name(options.correction), test_name(options.test)));
}

Comparison compare_systems(const ScoreMatrix& scores, const CompareOptions& options) {
  check_options(options);
  internal::check_data(scores, options);
  Comparison comparison;
  comparison.options = options;
  comparison.intervals = {options.alpha, is_for_all_pairs(options.test), std::nullopt};
  comparison.means = scores.means();
  comparison.ranking.resize(scores.systems.size());
  std::iota(comparison.ranking.begin(), comparison.ranking.end(), std::size_t{0});
  std::stable_sort(comparison.ranking.begin(), comparison.ranking.end(),
                   [&](std::size_t a, std::size_t b) { return comparison.means[a] > comparison.means[b]; });
  for (std::size_t i = 0; i < comparison.ranking.size(); ++i) {
    for (std::size_t j = i + 1; j < comparison.ranking.size(); ++j) {
      PairComparison pair;
      pair.first = comparison.ranking[i];
      pair.second = comparison.ranking[j];
      pair.difference = comparison.means[pair.first] - comparison.means[pair.second];
      comparison.pairs.push_back(pair);
    }
  }
  comparison.anova = two_way_anova(scores);
  if (is_for_all_pairs(options.test)) {
    options.test == SignificanceTest::kTukeyHsd ? randomised_tukey(scores, comparison)
                                                : parametric_tukey(scores, comparison);
    for (auto& pair : comparison.pairs) {
      pair.p_value = pair.raw_p_value;
      pair.effect_size = pair.difference == 0 ? 0 : pair.difference / std::sqrt(comparison.anova.mean_square_residual);
      pair.low = pair.difference - *comparison.critical_difference;
      pair.high = pair.difference + *comparison.critical_difference;
    }
  } else {
    paired_tests(scores, comparison);
  }
  for (auto& pair : comparison.pairs) {
    pair.significant = is_significant(pair.p_value, options.alpha);
    comparison.significant += pair.significant;
  }
  return comparison;
}

Wins count_wins(const ScoreMatrix& scores, std::size_t system, std::size_t other) {
  Wins wins;
  for (std::size_t t = 0; t < scores.topics.size(); ++t) {
    const double difference = scores.at(system, t) - scores.at(other, t);
    ++(difference > statistics::kEqualScores    ? wins.won
       : difference < -statistics::kEqualScores ? wins.lost
                                                : wins.tied);
  }
  return wins;
}

std::vector<double> corrected(std::span<const double> p_values, Correction correction) {
  std::vector<double> result(p_values.begin(), p_values.end());
  const std::size_t count = result.size();
  const auto n = static_cast<double>(count);
  if (correction == Correction::kNone) return result;
  if (correction == Correction::kBonferroni) {
    for (double& p : result) p = std::min(1.0, p * n);
    return result;
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  if (correction == Correction::kHolm) {
    double largest = 0;  // so far, from the smallest p on
    for (std::size_t i = 0; i < count; ++i) {
      largest = std::max(largest, std::min(1.0, p_values[order[i]] * (n - static_cast<double>(i))));
      result[order[i]] = largest;
    }
    return result;
  }
  double smallest = 1;  // so far, from the largest p on
  for (std::size_t i = count; i-- > 0;) {
    smallest = std::min(smallest, p_values[order[i]] * n / static_cast<double>(i + 1));
    result[order[i]] = smallest;
  }
  return result;
}

std::string_view test_name(SignificanceTest test) {
  return name_in(kSignificanceTests, test);
}

std::string_view correction_name(Correction correction) {
  return name_in(kCorrections, correction);
}

bool is_for_all_pairs(SignificanceTest test) {
  return test == SignificanceTest::kTukeyHsd || test == SignificanceTest::kTukeyHsdParametric;
}

bool is_sampled(SignificanceTest test) {
  return test == SignificanceTest::kTukeyHsd || test == SignificanceTest::kBootstrap ||
         test == SignificanceTest::kPermutation;
}

const AgainstBaseline* BaselineComparison::of(std::size_t system) const {
  const auto found =
      std::find_if(systems.begin(), systems.end(), [&](const auto& against) { return against.system == system; });
  return found == systems.end() ? nullptr : &*found;
}

void check_baseline_test(SignificanceTest test) {
  if (is_for_all_pairs(test))
    throw ConfigError(
        fmt::format("--test {} compares all pairs; with --baseline take t-test, permutation, bootstrap, "
                    "wilcoxon or sign, and a correction",
                    test_name(test)));
}

BaselineComparison compare_with_baseline(const statistics::ScoreMatrix& scores, std::size_t baseline,
                                         const CompareOptions& options) {
  check_options(options);
  check_baseline_test(options.test);
  internal::check_data(scores, options);
  BaselineComparison result;
  result.options = options;
  result.baseline = baseline;
  result.means = scores.means();
  result.ranking.resize(scores.systems.size());
  std::iota(result.ranking.begin(), result.ranking.end(), std::size_t{0});
  std::stable_sort(result.ranking.begin(), result.ranking.end(),
                   [&](std::size_t a, std::size_t b) { return result.means[a] > result.means[b]; });
  std::vector<SystemPair> pairs;
  for (const auto system : result.ranking) {
    if (system != baseline) pairs.push_back({system, baseline});
  }
  const auto tests = internal::test_pairs(scores, pairs, options);
  result.exact = tests.exact;
  result.intervals = tests.intervals;
  result.significant = tests.significant;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto system = pairs[i].first;
    result.systems.push_back(
        {tests.pairs[i], system, result.means[system] - result.means[baseline], count_wins(scores, system, baseline)});
  }
  return result;
}

std::vector<PairDecision> t_test_decisions(std::span<const double> values, std::size_t systems, std::size_t topics,
                                           double alpha) {
  std::vector<PairDecision> decisions;
  decisions.reserve(systems * (systems - 1) / 2);
  const auto n = static_cast<double>(topics);
  const double critical = topics < 2 ? 0 : statistics::t_critical(alpha, n - 1);
  std::vector<double> differences(topics);
  for (std::size_t first = 0; first < systems; ++first) {
    for (std::size_t second = first + 1; second < systems; ++second) {
      for (std::size_t t = 0; t < topics; ++t)
        differences[t] = values[first * topics + t] - values[second * topics + t];
      const auto [mean, deviation] = internal::moments(differences);
      auto& decision = decisions.emplace_back();
      if (std::abs(mean) > statistics::kEqualScores) decision.difference = mean;
      if (topics < 2) continue;
      decision.significant = deviation == 0 ? decision.difference != 0
                                            : std::abs(mean) >= (1 - kRounding) * critical * deviation / std::sqrt(n);
    }
  }
  return decisions;
}

}  // namespace touchstone::analysis::significance
