#include "analysis/presentation/point_labels.hpp"

#include "analysis/presentation/gnuplot.hpp"
#include "analysis/presentation/plot_templates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace touchstone::analysis::presentation::internal {
namespace {

using namespace fmt::literals;

constexpr std::size_t kMostNames = 8;
constexpr double kLetterWidth = 6, kLetterHeight = 12, kPointSize = 6;  ///< pixels

/// A rectangle in pixels from the upper left corner of the area.
struct Box {
  double left, top, right, bottom;
  bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// Where a name stands beside its point, in gnuplot's words.
struct Place {
  const char *align, *offset;
  double across, down;  ///< of the name's middle, in widths and heights of name and point together
};
constexpr Place kPlaces[] = {
    {"left", "0.8,0", 1, 0}, {"right", "-0.8,0", -1, 0}, {"center", "0,0.7", 0, -1}, {"center", "0,-0.7", 0, 1}};

Box name_box(double x, double y, std::size_t letters, const Place& place) {
  const double half_width = static_cast<double>(letters) * kLetterWidth / 2, half_height = kLetterHeight / 2;
  x += place.across * (half_width + kPointSize);
  y += place.down * (half_height + kPointSize / 2);
  return {x - half_width, y - half_height, x + half_width, y + half_height};
}

/// Places labels one after another and remembers the room that is taken.
class Labeller {
 public:
  Labeller(const statistics::ScoreMatrix& scores, const significance::Comparison& comparison,
           const std::vector<std::size_t>& other_rank)
      : scores_(scores), comparison_(comparison), other_rank_(other_rank) {
    labels_.is_named.resize(systems());
  }

  PointLabels labels() && {
    std::vector<std::size_t> order(systems());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const auto rank : order) taken_.push_back(point_box(rank));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return moved(a) > moved(b); });
    for (std::size_t i = 0; i < std::min(order.size(), kMostNames); ++i) {
      if (moved(order[i]) > 0) place_name(order[i]);
    }
    return std::move(labels_);
  }

 private:
  std::size_t systems() const { return comparison_.ranking.size(); }
  double end() const { return static_cast<double>(systems()) + 1; }
  double other_rank(std::size_t rank) const { return static_cast<double>(other_rank_[comparison_.ranking[rank]]); }
  double moved(std::size_t rank) const { return std::abs(other_rank(rank) - static_cast<double>(rank)); }
  double x(std::size_t rank) const { return (end() - static_cast<double>(rank) - 1) / end() * kPointAreaWidth; }
  double y(std::size_t rank) const { return (other_rank(rank) + 1) / end() * kPointAreaHeight; }

  Box point_box(std::size_t rank) const {
    constexpr double kHalf = kPointSize / 2;
    return {x(rank) - kHalf, y(rank) - kHalf, x(rank) + kHalf, y(rank) + kHalf};
  }

  bool has_room(const Box& box) const {
    const bool inside = box.left >= 0 && box.top >= 0 && box.right <= kPointAreaWidth && box.bottom <= kPointAreaHeight;
    return inside && std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) { return box.overlaps(other); });
  }

  void place_name(std::size_t rank) {
    const std::string& name = scores_.systems[comparison_.ranking[rank]];
    for (const auto& place : kPlaces) {
      const Box box = name_box(x(rank), y(rank), name.size(), place);
      if (!has_room(box)) continue;
      taken_.push_back(box);
      labels_.is_named[rank] = true;
      labels_.commands +=
          fmt::format(kPointLabel, "name"_a = gnuplot_quoted(name, GnuplotText::kLabel), "x"_a = rank + 1,
                      "y"_a = other_rank(rank) + 1, "align"_a = place.align, "offset"_a = place.offset);
      return;
    }
  }

  const statistics::ScoreMatrix& scores_;
  const significance::Comparison& comparison_;
  const std::vector<std::size_t>& other_rank_;
  std::vector<Box> taken_;
  PointLabels labels_;
};

}  // namespace

PointLabels label_points(const statistics::ScoreMatrix& scores, const significance::Comparison& comparison,
                         const std::vector<std::size_t>& other_rank) {
  return Labeller(scores, comparison, other_rank).labels();
}

}  // namespace touchstone::analysis::presentation::internal
