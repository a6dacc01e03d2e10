#pragma once

#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace touchstone::analysis::presentation::internal {

/// Size in pixels of the area where the points of two leaderboards are drawn.
inline constexpr double kPointAreaWidth = 660, kPointAreaHeight = 600;

/// Labels of a plot of two rankings: names for the systems whose ranks differ most, where a name covers neither a point
/// nor another name.
struct PointLabels {
  std::vector<bool> is_named;  ///< by rank in `comparison`
  std::string commands;        ///< of gnuplot
};

/// \param other_rank  rank of each system by the other judgments, from 0
PointLabels label_points(const statistics::ScoreMatrix& scores, const significance::Comparison& comparison,
                         const std::vector<std::size_t>& other_rank);

}  // namespace touchstone::analysis::presentation::internal
