#pragma once

#include "analysis/significance/score_matrix.hpp"

#include <cstdint>
#include <vector>

/// The engine of the randomised Tukey HSD.
namespace touchstone::analysis::internal {

/// Scores as integers, so that sums are exact whatever their order: `score = offset of the topic + value / scale`.
struct FixedScores {
  std::size_t systems = 0, topics = 0;
  std::vector<std::int32_t> values;  ///< [topic][system]; each topic's least score is 0
  double scale = 1;
  std::int64_t tolerance = 0;  ///< sums that differ by less may be equal before rounding; 0: decimals, kept exactly
};

/// Decimals of up to 9 digits are kept exactly where the sums fit 31 bits; other scores are rounded to a power of two
/// that lets them fit. Throws Error when topics are so many that less than 10 bits a score would be left.
FixedScores to_fixed(const ScoreMatrix& scores);

/// For each permutation, in ascending order: the largest minus the smallest sum over topics, after each topic's scores
/// were dealt to the systems anew. The same for a seed at any number of threads and on any processor.
/// \param threads  0: all cores
/// Time O(permutations x systems x topics); memory 4 bytes a permutation.
std::vector<std::int32_t> permuted_ranges(const FixedScores& scores, std::uint64_t permutations, std::uint64_t seed,
                                          int threads);

}  // namespace touchstone::analysis::internal
