#pragma once

#include "analysis/statistics/score_matrix.hpp"

#include <cstdint>
#include <vector>

/// The permutations of the randomised Tukey HSD.
namespace touchstone::analysis::significance::internal {

/// Scores as integers, whose sums do not depend on their order: score = least score of the topic + value / scale.
struct FixedScores {
  std::size_t systems = 0, topics = 0;
  std::vector<std::int32_t> values;  ///< [topic][system]; 0 for the least score of a topic
  double scale = 1;
  std::int64_t tolerance = 0;  ///< sums that differ by less may be equal; 0 if the scores were kept exactly
};

/// Keeps decimals of up to 9 digits exactly if their sums fit 31 bits. Rounds other scores to multiples of a power of
/// two that makes the sums fit. Throws Error if so many topics leave less than 10 bits for a score.
FixedScores to_fixed(const statistics::ScoreMatrix& scores);

/// Permutes the scores of each topic among the systems and takes the largest minus the smallest sum over topics, for
/// each permutation. Returns these ranges in ascending order. The same seed gives the same ranges at any number of
/// threads and on any processor.
/// \param threads  0: all cores
/// Time O(permutations x systems x topics); memory 4 bytes for each permutation.
std::vector<std::int32_t> permuted_ranges(const FixedScores& scores, std::uint64_t permutations, std::uint64_t seed,
                                          int threads);

}  // namespace touchstone::analysis::significance::internal
