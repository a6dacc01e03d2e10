#include "analysis/significance/test_pairs.hpp"

#include "analysis/significance/sampled_p_values.hpp"
#include "analysis/statistics/distributions.hpp"
#include "analysis/statistics/parallel.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace touchstone::analysis::significance::internal {

using statistics::ScoreMatrix;

namespace {

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
