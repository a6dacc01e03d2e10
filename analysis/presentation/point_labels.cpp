#include "analysis/presentation/point_labels.hpp"

#include "analysis/presentation/gnuplot.hpp"
#include "analysis/presentation/plot_templates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {
namespace {

using namespace fmt::literals;

constexpr std::size_t kMostMovers = 8;
constexpr double kLetterWidth = 7.7, kLetterHeight = 12, kPointSize = 6;  ///< pixels

/// A rectangle in pixels from the upper left corner of the area.
struct Box {
  double left, top, right, bottom;
  bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
  double centre_x() const { return (left + right) / 2; }
  double centre_y() const { return (top + bottom) / 2; }
};

/// Where names may stand around a point, as multiples of the distance at which they touch it. The distances beyond the
/// first need a line.
struct Direction {
  double across, down;
};
constexpr Direction kDirections[] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, 1}, {-1, -1}, {1, 1}};
constexpr double kDistances[] = {0, 20, 40, 70, 110, 160};  ///< pixels beyond touching

Box name_box(double x, double y, std::size_t bytes, const Direction& direction, double distance) {
  const double half_width = static_cast<double>(bytes) * kLetterWidth / 2, half_height = kLetterHeight / 2;
  x += direction.across * (half_width + kPointSize + distance);
  y += direction.down * (half_height + kPointSize / 2 + distance);
  return {x - half_width, y - half_height, x + half_width, y + half_height};
}

/// Places names one after another and remembers the room that is taken.
class Labeller {
 public:
  explicit Labeller(std::span<const RankedSystem> systems) : systems_(systems) {
    for (const auto& system : systems) taken_.push_back(point_box(system));
  }

  /// Commands of gnuplot that show the name of a system; empty if it has no room.
  std::string place(const RankedSystem& system) {
    const auto box = room_for(system);
    if (!box) return "";
    taken_.push_back(*box);
    std::string commands;
    const double x = pixel_x(system), y = pixel_y(system);
    const double near_x = std::clamp(x, box->left, box->right), near_y = std::clamp(y, box->top, box->bottom);
    if (std::hypot(near_x - x, near_y - y) > kPointSize + 4)
      commands =
          fmt::format(kPointLine, "x"_a = system.first_rank, "y"_a = system.other_rank,
                      "name_x"_a = rank_at(near_x / kPointAreaWidth), "name_y"_a = end() * near_y / kPointAreaHeight);
    return commands + fmt::format(kPointLabel, "name"_a = gnuplot_quoted(system.name, GnuplotText::kLabel),
                                  "x"_a = rank_at(box->centre_x() / kPointAreaWidth),
                                  "y"_a = end() * box->centre_y() / kPointAreaHeight);
  }

 private:
  double end() const { return static_cast<double>(systems_.size()) + 1; }
  /// The rank at a share of the width; the best system is on the right.
  double rank_at(double share) const { return end() * (1 - share); }
  double pixel_x(const RankedSystem& system) const { return (1 - system.first_rank / end()) * kPointAreaWidth; }
  double pixel_y(const RankedSystem& system) const { return system.other_rank / end() * kPointAreaHeight; }

  Box point_box(const RankedSystem& system) const {
    constexpr double kHalf = kPointSize / 2;
    const double x = pixel_x(system), y = pixel_y(system);
    return {x - kHalf, y - kHalf, x + kHalf, y + kHalf};
  }

  std::optional<Box> room_for(const RankedSystem& system) const {
    for (const double distance : kDistances) {
      for (const auto& direction : kDirections) {
        const Box box = name_box(pixel_x(system), pixel_y(system), system.name.size(), direction, distance);
        if (has_room(box)) return box;
      }
    }
    return std::nullopt;
  }

  bool has_room(const Box& box) const {
    const bool inside = box.left >= 0 && box.top >= 0 && box.right <= kPointAreaWidth && box.bottom <= kPointAreaHeight;
    return inside && std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) { return box.overlaps(other); });
  }

  std::span<const RankedSystem> systems_;
  std::vector<Box> taken_;
};

/// The least move of the systems that are shown as movers; 0 if no system moves. `moves` are in descending order.
double least_move_of(const std::vector<double>& moves) {
  if (moves.empty() || moves.front() <= 0) return 0;
  std::size_t count = std::min(moves.size(), kMostMovers);
  const auto continues = [&](std::size_t n) { return n < moves.size() && moves[n] == moves[n - 1]; };
  while (count > 0 && (continues(count) || moves[count - 1] <= 0)) --count;
  return count > 0 ? moves[count - 1] : moves.front();
}

}  // namespace

double RankedSystem::moved() const {
  return std::abs(first_rank - other_rank);
}

PointLabels label_points(std::span<const RankedSystem> systems) {
  std::vector<std::size_t> order(systems.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return systems[a].moved() > systems[b].moved(); });
  std::vector<double> moves;
  for (const auto system : order) moves.push_back(systems[system].moved());
  PointLabels labels;
  labels.is_mover.resize(systems.size());
  labels.least_move = least_move_of(moves);
  Labeller labeller(systems);
  for (const auto system : order) {
    if (labels.least_move == 0 || systems[system].moved() < labels.least_move) break;
    labels.is_mover[system] = true;
    ++labels.movers;
    const auto commands = labeller.place(systems[system]);
    labels.named += !commands.empty();
    labels.commands += commands;
  }
  return labels;
}

}  // namespace touchstone::analysis::presentation::internal
