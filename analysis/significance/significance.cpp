#include "analysis/significance/significance.hpp"

#include "analysis/significance/randomised_tukey.hpp"
#include "analysis/significance/sampled_p_values.hpp"
#include "analysis/significance/test_pairs.hpp"
#include "analysis/statistics/distributions.hpp"
#include "analysis/statistics/parallel.hpp"
#include "common/error.hpp"
#include "common/named_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace touchstone::analysis::significance {
namespace {

using internal::SystemPair;
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
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    auto& pair = comparison.pairs[i];
    const auto& test = tests.pairs[i];
    pair.raw_p_value = test.raw_p_value;
    pair.p_value = test.p_value;
    pair.effect_size = test.effect_size;
    pair.low = test.low;
    pair.high = test.high;
    pair.fcr_low = test.fcr_low;
    pair.fcr_high = test.fcr_high;
  }
}

}  // namespace

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

}  // namespace touchstone::analysis::significance
