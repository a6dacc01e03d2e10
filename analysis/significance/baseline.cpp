#include "analysis/significance/baseline.hpp"

#include "analysis/significance/test_pairs.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace touchstone::analysis::significance {

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
  std::vector<internal::SystemPair> pairs;
  for (const auto system : result.ranking) {
    if (system != baseline) pairs.push_back({system, baseline});
  }
  const auto tests = internal::test_pairs(scores, pairs, options);
  result.exact = tests.exact;
  result.intervals = tests.intervals;
  result.significant = tests.significant;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto system = pairs[i].first;
    const auto& test = tests.pairs[i];
    result.systems.push_back({system, result.means[system] - result.means[baseline], test.p_value, test.raw_p_value,
                              test.significant, test.effect_size, test.low, test.high, test.fcr_low, test.fcr_high,
                              count_wins(scores, system, baseline)});
  }
  return result;
}

}  // namespace touchstone::analysis::significance
