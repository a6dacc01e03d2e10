#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace touchstone::analysis::presentation::internal {

/// Size in pixels of the area where the points of two leaderboards are drawn.
inline constexpr double kPointAreaWidth = 660, kPointAreaHeight = 600;

/// A system on two leaderboards.
struct RankedSystem {
  std::string name;
  double first_rank = 0, other_rank = 0;  ///< from 1; systems with equal means share the mean of their ranks
  double moved() const;
};

/// The systems that move furthest, and their names beside the points. A name covers neither a point nor another name;
/// if there is no room beside its point, it stands further off at the end of a line.
struct PointLabels {
  std::vector<bool> is_mover;  ///< by system
  double least_move = 0;       ///< of the movers; 0 if no system moves
  std::size_t movers = 0, named = 0;
  std::string commands;  ///< of gnuplot
};

/// The movers are all systems that move by `least_move` ranks or more. There are at most eight, unless more than eight
/// move equally far and further than all others. Which names have room does not matter.
PointLabels label_points(std::span<const RankedSystem> systems);

}  // namespace touchstone::analysis::presentation::internal
