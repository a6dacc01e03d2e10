#include "analysis/presentation/point_labels.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::analysis::presentation::internal {
namespace {

/// Systems that move by the given numbers of ranks, one after another.
std::vector<RankedSystem> systems_that_move(const std::vector<double>& moves) {
  std::vector<RankedSystem> systems;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto rank = static_cast<double>(i + 1);
    systems.push_back({"s" + std::to_string(i), rank, rank + moves[i]});
  }
  return systems;
}

TEST(LabelPoints, ColoursTheLargestMoversAndNoOthers) {
  const auto labels = label_points(systems_that_move({1, 9, 2, 8, 3, 7, 4, 6, 5, 1, 0, 0}));
  EXPECT_EQ(labels.movers, 8U);
  EXPECT_EQ(labels.least_move, 2);
  EXPECT_EQ(labels.is_mover,
            (std::vector<bool>{false, true, true, true, true, true, true, true, true, false, false, false}));
}

TEST(LabelPoints, SystemsThatMoveEquallyFarAreTreatedAlike) {
  // Six of 5 ranks and four of 3: all four would make ten.
  EXPECT_EQ(label_points(systems_that_move({5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 0})).movers, 6U);
  EXPECT_EQ(label_points(systems_that_move({5, 5, 3, 3})).movers, 4U);
  EXPECT_EQ(label_points(systems_that_move(std::vector<double>(12, 2))).movers, 12U);
}

TEST(LabelPoints, ASystemThatDoesNotMoveIsNoMover) {
  EXPECT_EQ(label_points(systems_that_move({0, 0, 0})).movers, 0U);
  EXPECT_EQ(label_points(systems_that_move({0, 1, 0})).movers, 1U);
  EXPECT_EQ(label_points({}).movers, 0U);
}

TEST(LabelPoints, ANameWithoutRoomBesideItsPointStandsAtTheEndOfALine) {
  // All move far and stand in one corner.
  std::vector<RankedSystem> systems;
  for (int i = 0; i < 83; ++i) systems.push_back({"a_rather_long_name_" + std::to_string(i), i + 1.0, i + 1.0});
  for (int i = 0; i < 4; ++i) systems[static_cast<std::size_t>(i)].other_rank = 83.0 - i;
  for (int i = 0; i < 4; ++i) systems[static_cast<std::size_t>(82 - i)].other_rank = 1.0 + i;
  const auto labels = label_points(systems);
  EXPECT_EQ(labels.movers, 8U);
  EXPECT_EQ(labels.named, 8U);
  EXPECT_NE(labels.commands.find("set arrow"), std::string::npos) << labels.commands;
}

}  // namespace
}  // namespace touchstone::analysis::presentation::internal
