#pragma once

#include "analysis/statistics/random.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace touchstone::analysis::significance::testing {

/// Scores around the level of their topic; system s is better by s * step.
inline statistics::ScoreMatrix random_matrix(std::uint64_t seed, std::size_t systems, std::size_t topics, double step) {
  statistics::Random random(seed);
  statistics::ScoreMatrix matrix;
  for (std::size_t s = 0; s < systems; ++s) matrix.systems.push_back("s" + std::to_string(s));
  for (std::size_t t = 0; t < topics; ++t) matrix.topics.push_back("t" + std::to_string(t));
  for (std::size_t s = 0; s < systems; ++s)
    for (std::size_t t = 0; t < topics; ++t)
      matrix.values.push_back(static_cast<double>(random.below(10000)) / 10000 + step * static_cast<double>(s));
  return matrix;
}

}  // namespace touchstone::analysis::significance::testing
