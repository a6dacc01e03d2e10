#include "analysis/significance/test_pairs.hpp"

#include "analysis/significance/sampled_p_values.hpp"
#include "analysis/statistics/distributions.hpp"
#include "analysis/statistics/parallel.hpp"
#include "common/error.hpp"

#include <cmath>

#include <fmt/format.h>

namespace touchstone::analysis::significance::internal {

using statistics::ScoreMatrix;

PairTests test_pairs(const ScoreMatrix& scores, std::span<const SystemPair> pairs, const CompareOptions& options,
                     double interval_alpha) {
  const auto n = static_cast<double>(scores.topics.size());
  const double critical_t = statistics::t_critical(interval_alpha, n - 1);
  PermutationResult permutation;
  std::vector<BootstrapResult> bootstrap;
  if (options.test == SignificanceTest::kPermutation)
    permutation = permutation_tests(scores, pairs, options.permutations, options.seed, options.threads);
  if (options.test == SignificanceTest::kBootstrap)
    bootstrap = bootstrap_tests(scores, pairs, options.permutations, options.seed, interval_alpha, options.threads);
  PairTests result;
  result.exact = permutation.exact;
  result.pairs.resize(pairs.size());
  statistics::in_arena(options.threads, [&] {
    statistics::for_each_block(pairs.size(), [&](std::uint64_t i) {
      auto& pair = result.pairs[i];
      std::vector<double> differences(scores.topics.size());
      for (std::size_t t = 0; t < differences.size(); ++t)
        differences[t] = scores.at(pairs[i].first, t) - scores.at(pairs[i].second, t);
      switch (options.test) {
        case SignificanceTest::kTTest:
          pair.p_value = t_test(differences);
          break;
        case SignificanceTest::kWilcoxon:
          pair.p_value = wilcoxon_test(differences);
          break;
        case SignificanceTest::kSign:
          pair.p_value = sign_test(differences);
          break;
        case SignificanceTest::kBootstrap:
          pair.p_value = bootstrap[i].p_value;
          break;
        case SignificanceTest::kPermutation:
          pair.p_value = permutation.p_values[i];
          break;
        case SignificanceTest::kTukeyHsd:
        case SignificanceTest::kTukeyHsdParametric:
          TS_CHECK(false, "a test of single pairs");
      }
      const auto [mean, deviation] = moments(differences);
      pair.effect_size = std::abs(mean) <= statistics::kEqualScores ? 0 : mean / deviation;
      const double critical = bootstrap.empty() ? critical_t : bootstrap[i].critical_t;
      const double reach = deviation == 0 ? 0 : critical * deviation / std::sqrt(n);
      pair.low = mean - reach;
      pair.high = mean + reach;
    });
  });
  return result;
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
