#include "analysis/significance/paired_tests.hpp"

#include "analysis/significance/significance.hpp"
#include "analysis/statistics/distributions.hpp"
#include "analysis/statistics/parallel.hpp"
#include "analysis/statistics/random.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include <fmt/format.h>

namespace touchstone::analysis::significance::internal {

using statistics::ScoreMatrix;

namespace {

constexpr std::size_t kMaxExactWilcoxon = 50;  ///< differences
constexpr std::uint64_t kBlock = 1024;         ///< resamples that share a seed
constexpr std::uint64_t kMaxBootstrapWeights = std::uint64_t{1} << 29;

/// Twice the ranks of |d|, which makes the mean ranks of ties integers.
struct DoubledRanks {
  std::vector<int> positive, all;  ///< of the positive differences, of all
  double ties = 0;                 ///< sum of t^3 - t over groups of t ties
};

DoubledRanks doubled_ranks(std::span<const double> differences) {
  std::vector<double> sorted;
  for (const double d : differences)
    if (std::abs(d) > statistics::kEqualScores) sorted.push_back(d);
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  DoubledRanks ranks;
  for (std::size_t first = 0, last; first < sorted.size(); first = last) {
    last = first + 1;
    while (last < sorted.size() && std::abs(sorted[last]) - std::abs(sorted[last - 1]) <= statistics::kEqualScores)
      ++last;
    const auto count = static_cast<double>(last - first);
    ranks.ties += count * count * count - count;
    for (std::size_t i = first; i < last; ++i) {
      ranks.all.push_back(static_cast<int>(first + last + 1));
      if (sorted[i] > 0) ranks.positive.push_back(ranks.all.back());
    }
  }
  return ranks;
}

/// Differences of a pair on each topic.
std::vector<double> differences_of(const ScoreMatrix& scores, const SystemPair& pair) {
  std::vector<double> differences(scores.topics.size());
  for (std::size_t t = 0; t < differences.size(); ++t)
    differences[t] = scores.at(pair.first, t) - scores.at(pair.second, t);
  return differences;
}

double p_value_of(SignificanceTest test, std::span<const double> differences) {
  switch (test) {
    case SignificanceTest::kTTest:
      return t_test(differences);
    case SignificanceTest::kWilcoxon:
      return wilcoxon_test(differences);
    case SignificanceTest::kSign:
      return sign_test(differences);
    default:
      TS_CHECK(false, "a test of one pair that is not sampled");
      return 1;
  }
}

/// Tests pairs one by one; the correction is over all of them.
class PairTester {
 public:
  PairTester(const ScoreMatrix& scores, std::span<const SystemPair> pairs, const CompareOptions& options)
      : scores_(scores), pairs_(pairs), options_(options) {
    tests_.pairs.resize(pairs.size());
    tests_.intervals = {options.alpha, options.correction != Correction::kNone, std::nullopt};
    if (tests_.intervals.simultaneous) tests_.intervals.alpha /= static_cast<double>(pairs.size());
  }

  PairTests run() && {
    bootstrap_at(tests_.intervals.alpha);
    test();
    correct();
    set_intervals(tests_.intervals.alpha, &PairTest::low, &PairTest::high);
    if (options_.correction == Correction::kBenjaminiHochberg) {
      const auto selected = std::max<std::size_t>(tests_.significant, 1);
      tests_.intervals.fcr_alpha = options_.alpha * static_cast<double>(selected) / static_cast<double>(pairs_.size());
      bootstrap_at(*tests_.intervals.fcr_alpha);
      set_intervals(*tests_.intervals.fcr_alpha, &PairTest::fcr_low, &PairTest::fcr_high);
    }
    return std::move(tests_);
  }

 private:
  /// Resamples, if that is the test: p-values, and critical values of t at `alpha`.
  void bootstrap_at(double alpha) {
    if (options_.test == SignificanceTest::kBootstrap && (bootstrap_.empty() || alpha != bootstrap_alpha_))
      bootstrap_ = bootstrap_tests(scores_, pairs_, options_.permutations, options_.seed, alpha, options_.threads);
    bootstrap_alpha_ = alpha;
  }

  void test() {
    PermutationResult permutation;
    if (options_.test == SignificanceTest::kPermutation)
      permutation = permutation_tests(scores_, pairs_, options_.permutations, options_.seed, options_.threads);
    tests_.exact = permutation.exact;
    for_each_pair([&](std::size_t i, std::span<const double> differences) {
      auto& pair = tests_.pairs[i];
      pair.raw_p_value = !bootstrap_.empty()             ? bootstrap_[i].p_value
                         : !permutation.p_values.empty() ? permutation.p_values[i]
                                                         : p_value_of(options_.test, differences);
      const auto [mean, deviation] = moments(differences);
      pair.effect_size = std::abs(mean) <= statistics::kEqualScores ? 0 : mean / deviation;
    });
  }

  void correct() {
    std::vector<double> raw;
    for (const auto& pair : tests_.pairs) raw.push_back(pair.raw_p_value);
    const auto p_values = corrected(raw, options_.correction);
    for (std::size_t i = 0; i < p_values.size(); ++i) {
      auto& pair = tests_.pairs[i];
      pair.p_value = p_values[i];
      pair.significant = is_significant(p_values[i], options_.alpha);
      tests_.significant += pair.significant;
    }
  }

  void set_intervals(double alpha, double PairTest::*low, double PairTest::*high) {
    const auto n = static_cast<double>(scores_.topics.size());
    const double critical_t = statistics::t_critical(alpha, n - 1);
    for_each_pair([&](std::size_t i, std::span<const double> differences) {
      const auto [mean, deviation] = moments(differences);
      const double critical = bootstrap_.empty() ? critical_t : bootstrap_[i].critical_t;
      const double reach = deviation == 0 ? 0 : critical * deviation / std::sqrt(n);
      tests_.pairs[i].*low = mean - reach;
      tests_.pairs[i].*high = mean + reach;
    });
  }

  /// Calls `visit(index, differences)` for each pair, in parallel.
  template <class Visit>
  void for_each_pair(const Visit& visit) {
    statistics::in_arena(options_.threads, [&] {
      statistics::for_each_block(pairs_.size(), [&](std::uint64_t i) {
        visit(static_cast<std::size_t>(i), differences_of(scores_, pairs_[i]));
      });
    });
  }

  const ScoreMatrix& scores_;
  std::span<const SystemPair> pairs_;
  const CompareOptions& options_;
  std::vector<BootstrapResult> bootstrap_;
  double bootstrap_alpha_ = 0;
  PairTests tests_;
};

}  // namespace

double sampled_p_value(std::uint64_t reached, std::uint64_t drawn) {
  return static_cast<double>(reached + 1) / static_cast<double>(drawn + 1);
}

std::optional<std::uint64_t> most_samples_reached(double alpha, std::uint64_t drawn) {
  if (!is_significant(sampled_p_value(0, drawn), alpha)) return std::nullopt;
  const double estimate = std::floor(alpha * static_cast<double>(drawn + 1));
  auto reached = std::min(static_cast<std::uint64_t>(estimate), drawn);
  while (reached > 0 && !is_significant(sampled_p_value(reached, drawn), alpha))
    --reached;  // the estimate is one too high, or rounded
  return reached;
}

Moments moments(std::span<const double> values) {
  Moments result;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) result.mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  if (result.deviation <= statistics::kEqualScores) result.deviation = 0;
  return result;
}

double t_test(std::span<const double> differences) {
  const auto [mean, deviation] = moments(differences);
  if (deviation == 0) return std::abs(mean) > statistics::kEqualScores ? 0 : 1;
  const auto n = static_cast<double>(differences.size());
  return statistics::t_two_sided(mean / (deviation / std::sqrt(n)), n - 1);
}

double wilcoxon_test(std::span<const double> differences) {
  const auto ranks = doubled_ranks(differences);
  const auto n = static_cast<double>(ranks.all.size());
  if (ranks.all.empty()) return 1;
  std::int64_t sum = 0;
  for (const int rank : ranks.positive) sum += rank;
  const std::int64_t all = static_cast<std::int64_t>(ranks.all.size() * (ranks.all.size() + 1));
  if (ranks.all.size() > kMaxExactWilcoxon) {
    const double mean = n * (n + 1) / 4, variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.ties / 48;
    const double distance = std::max(0.0, std::abs(static_cast<double>(sum) / 2 - mean) - 0.5);
    return std::min(1.0, 2 * statistics::normal_cdf(-distance / std::sqrt(variance)));
  }
  // Share of the 2^n sign assignments with each doubled sum of positive ranks.
  std::vector<double> share(static_cast<std::size_t>(all) + 1);
  share[0] = 1;
  std::size_t reach = 0;
  for (const int rank : ranks.all) {
    const auto step = static_cast<std::size_t>(rank);
    reach += step;
    for (std::size_t s = reach + 1; s-- > 0;) share[s] = (share[s] + (s >= step ? share[s - step] : 0)) / 2;
  }
  const auto tail = static_cast<std::size_t>(std::min(sum, all - sum));
  double p = 0;
  for (std::size_t s = 0; s <= tail; ++s) p += share[s];
  return std::min(1.0, 2 * p);
}

double sign_test(std::span<const double> differences) {
  double plus = 0, minus = 0;
  for (const double d : differences) {
    if (d > statistics::kEqualScores) ++plus;
    if (d < -statistics::kEqualScores) ++minus;
  }
  return std::min(1.0, 2 * statistics::fair_coin_lower(std::min(plus, minus), plus + minus));
}

bool tries_all_signs(std::size_t topics, std::uint64_t permutations) {
  return topics < 31 && (std::uint64_t{1} << topics) <= permutations;
}

PermutationResult permutation_tests(const statistics::ScoreMatrix& scores, std::span<const SystemPair> pairs,
                                    std::uint64_t permutations, std::uint64_t seed, int threads) {
  const std::size_t systems = scores.systems.size(), topics = scores.topics.size();
  const bool exact = tries_all_signs(topics, permutations);
  if (exact) permutations = std::uint64_t{1} << topics;
  const auto means = scores.means();
  std::vector<double> reached(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    reached[i] = std::abs(means[pairs[i].first] - means[pairs[i].second]) * static_cast<double>(topics) -
                 statistics::kEqualScores * static_cast<double>(topics);
  }
  // One assignment of signs serves all pairs: a flipped difference is the difference of the flipped sums.
  std::vector<std::uint64_t> counts(pairs.size());
  std::mutex mutex;
  statistics::in_arena(threads, [&] {
    statistics::for_each_block((permutations + kBlock - 1) / kBlock, [&](std::uint64_t block) {
      statistics::Random random(seed, block);
      std::vector<std::uint32_t> found(pairs.size());
      std::vector<double> signs(topics), sums(systems);
      for (std::uint64_t i = block * kBlock; i < std::min(permutations, (block + 1) * kBlock); ++i) {
        std::uint64_t bits = i;
        for (std::size_t t = 0; t < topics; ++t) {
          if (!exact && t % 64 == 0) bits = random.word();
          signs[t] = (bits >> (t % 64)) & 1 ? -1 : 1;
        }
        for (std::size_t s = 0; s < systems; ++s) {
          sums[s] = 0;
          for (std::size_t t = 0; t < topics; ++t) sums[s] += signs[t] * scores.at(s, t);
        }
        for (std::size_t p = 0; p < pairs.size(); ++p)
          found[p] += std::abs(sums[pairs[p].first] - sums[pairs[p].second]) >= reached[p];
      }
      const std::lock_guard lock(mutex);
      for (std::size_t p = 0; p < pairs.size(); ++p) counts[p] += found[p];
    });
  });
  PermutationResult result{{}, exact};
  for (const auto count : counts)
    result.p_values.push_back(exact ? static_cast<double>(count) / static_cast<double>(permutations)
                                    : sampled_p_value(count, permutations));
  return result;
}

std::vector<BootstrapResult> bootstrap_tests(const statistics::ScoreMatrix& scores, std::span<const SystemPair> pairs,
                                             std::uint64_t resamples, std::uint64_t seed, double alpha, int threads) {
  const std::size_t topics = scores.topics.size();
  if (resamples * topics > kMaxBootstrapWeights)
    throw ConfigError(fmt::format("the bootstrap would need {} MB for its resamples; lower --permutations",
                                  resamples * topics * sizeof(float) >> 20));
  std::vector<float> weights(resamples * topics);  // how often each resample holds each topic
  std::vector<BootstrapResult> results(pairs.size());
  const auto most_reached = most_samples_reached(alpha, resamples);
  statistics::in_arena(threads, [&] {
    statistics::for_each_block((resamples + kBlock - 1) / kBlock, [&](std::uint64_t block) {
      statistics::Random random(seed, block);
      for (std::uint64_t b = block * kBlock; b < std::min(resamples, (block + 1) * kBlock); ++b)
        for (std::size_t t = 0; t < topics; ++t)
          weights[b * topics + random.below(static_cast<std::uint32_t>(topics))] += 1;
    });
    statistics::for_each_block(pairs.size(), [&](std::uint64_t p) {
      const auto n = static_cast<double>(topics);
      std::vector<double> centred(topics);
      for (std::size_t t = 0; t < topics; ++t)
        centred[t] = scores.at(pairs[p].first, t) - scores.at(pairs[p].second, t);
      const auto [mean, deviation] = moments(centred);
      if (deviation == 0) {
        results[p] = {std::abs(mean) > statistics::kEqualScores ? 0.0 : 1.0, 0};
        return;
      }
      for (double& d : centred) d -= mean;
      std::vector<double> squared(resamples);  // of t*
      for (std::uint64_t b = 0; b < resamples; ++b) {
        const float* w = weights.data() + b * topics;
        double sum = 0, squares = 0;
        for (std::size_t t = 0; t < topics; ++t) {
          const double weighted = static_cast<double>(w[t]) * centred[t];
          sum += weighted;
          squares += weighted * centred[t];
        }
        const double variance = std::max(0.0, (squares - sum * sum / n) / (n - 1));
        const double t_square = sum * sum / n / variance;
        squared[b] = std::isnan(t_square) ? 0 : t_square;
      }
      const double least_mean =
          std::max(0.0, std::abs(mean) - statistics::kEqualScores);  // means are as inexact as scores
      const double observed = least_mean * least_mean * n / (deviation * deviation);
      const auto reached = static_cast<std::uint64_t>(std::count_if(
          squared.begin(), squared.end(), [&](double t) { return t >= observed * (1 - statistics::kEqualScores); }));
      results[p] = {sampled_p_value(reached, resamples), std::numeric_limits<double>::infinity()};
      if (!most_reached) return;
      const std::uint64_t rank = resamples - 1 - *most_reached;  // so many reach a larger t
      std::nth_element(squared.begin(), squared.begin() + static_cast<std::ptrdiff_t>(rank), squared.end());
      results[p].critical_t = std::sqrt(squared[rank]);
    });
  });
  return results;
}

PairTests test_pairs(const ScoreMatrix& scores, std::span<const SystemPair> pairs, const CompareOptions& options) {
  return PairTester(scores, pairs, options).run();
}

void check_data(const ScoreMatrix& scores, const CompareOptions& options) {
  if (scores.systems.size() < 2) throw ConfigError("a comparison needs two systems or more; give more runs");
  if (scores.topics.size() < 2)
    throw ConfigError("a comparison needs two topics or more; with one there is no telling chance from difference");
  const bool tries_all =
      options.test == SignificanceTest::kPermutation && tries_all_signs(scores.topics.size(), options.permutations);
  if (is_sampled(options.test) && !tries_all && !most_samples_reached(options.alpha, options.permutations))
    throw ConfigError(fmt::format(
        "--permutations {} give no p-value below {:.3g}, so that nothing is significant at --alpha {}; take "
        "{} or more",
        options.permutations, sampled_p_value(0, options.permutations), options.alpha,
        std::ceil(1 / options.alpha) - 1));
}

}  // namespace touchstone::analysis::significance::internal
