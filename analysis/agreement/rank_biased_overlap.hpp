#pragma once

#include "analysis/statistics/score_matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Overlap of two rankings, which may hold different items and differ in length. All functions are pure and
/// thread-safe.
namespace touchstone::analysis::agreement {

/// Items from the best to the worst. Tied items form one group, whose order means nothing.
using TiedRanking = std::vector<std::vector<std::string>>;
TiedRanking ranking_of(const statistics::SystemScores& scores);

/// What tied items mean. kA: an unknown order, so the mean over all orders. kB: the same, corrected for the information
/// that is lost, so that a ranking agrees fully with itself. kW: truly the same rank.
enum class RboTies : std::uint8_t { kA, kB, kW };

/// Rank-biased overlap. `extrapolated` assumes that the agreement seen at the end continues. `minimum` and `maximum`
/// bound the effect of unseen items; `residual` is their difference.
struct Rbo {
  double extrapolated = 0, minimum = 0, maximum = 0, residual = 0;
};

/// \pre neither ranking is empty, no item occurs twice in a ranking
/// \param p  probability of looking one rank further, 0 < p < 1
/// O(depth x items).
/// Sources: W. Webber, A. Moffat, J. Zobel, TOIS 2010; ties: M. Corsi, J. Urbano, SIGIR 2024.
Rbo rank_biased_overlap(const TiedRanking& a, const TiedRanking& b, double p, RboTies ties = RboTies::kA);

/// Mean over depths 1 ... `depth` (0: the length of the shorter ranking) of the share of items that both rankings have
/// down to that depth. Ties count as kA.
double average_overlap(const TiedRanking& a, const TiedRanking& b, std::size_t depth = 0);

}  // namespace touchstone::analysis::agreement
