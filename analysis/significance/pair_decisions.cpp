#include "analysis/significance/pair_decisions.hpp"

#include "analysis/significance/paired_tests.hpp"
#include "analysis/statistics/distributions.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cmath>

namespace touchstone::analysis::significance {
namespace {

/// Of the quantile; with it a difference at the level itself is significant, as is_significant() decides by p-values.
constexpr double kRounding = 1e-10;

}  // namespace

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
