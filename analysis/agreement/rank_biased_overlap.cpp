#include "analysis/agreement/rank_biased_overlap.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace touchstone::analysis::agreement {
namespace {

/// First and last rank of an item's group, from 1.
struct Span {
  double top = 0, bottom = 0;  ///< both 0: not in the ranking

  /// Share of the item that is at or above `depth`.
  double share(double depth, RboTies ties) const {
    if (top == 0 || top > depth) return 0;
    if (ties == RboTies::kW || bottom <= depth) return 1;
    return (depth - top + 1) / (bottom - top + 1);
  }
};

/// The items of two rankings and the overlap of their tops.
class Overlap {
  struct Item {
    Span a, b;
  };

 public:
  Overlap(const TiedRanking& a, const TiedRanking& b) {
    std::map<std::string, Item> items;
    const auto lengths = [&](const TiedRanking& ranking, Span Item::*span) {
      double rank = 0;
      for (const auto& group : ranking) {
        for (const auto& name : group) {
          auto& item = items[name].*span;
          TS_CHECK(item.top == 0, "an item occurs twice in a ranking");
          item = {rank + 1, rank + static_cast<double>(group.size())};
        }
        rank += static_cast<double>(group.size());
      }
      return rank;
    };
    length_a = lengths(a, &Item::a);
    length_b = lengths(b, &Item::b);
    TS_CHECK(length_a > 0 && length_b > 0, "rank-biased overlap of an empty ranking");
    const auto longer = length_a > length_b ? &Item::a : &Item::b, shorter = length_a > length_b ? &Item::b : &Item::a;
    for (const auto& [name, item] : items) {
      items_.push_back(item);
      if ((item.*shorter).top == 0) only_in_longer_.push_back(item.*longer);
    }
    std::sort(only_in_longer_.begin(), only_in_longer_.end(),
              [](const Span& one, const Span& other) { return one.top < other.top; });
  }

  /// Sums over items of the product and of the squares of their shares.
  struct At {
    double common = 0, squares_a = 0, squares_b = 0;
  };
  At at(double depth, RboTies ties) const {
    At at;
    for (const auto& item : items_) {
      const double a = item.a.share(depth, ties), b = item.b.share(depth, ties);
      at.common += a * b;
      at.squares_a += a * a;
      at.squares_b += b * b;
    }
    return at;
  }

  /// Shares at or above `depth` of the items that only the longer ranking holds and the shorter might continue with.
  struct Unmatched {
    double first = 0;  ///< sum over the first `count` of them
    double mean = 0;   ///< mean over those that begin at or above `depth`
  };
  Unmatched unmatched(double depth, double count, RboTies ties) const {
    Unmatched result;
    double begun = 0;
    for (const Span& item : only_in_longer_) {
      const double share = item.share(depth, ties);
      if (share == 0) break;
      if (begun < count) result.first += share;
      result.mean += share;
      ++begun;
    }
    if (begun > 0) result.mean /= begun;
    return result;
  }

  double length_a = 0, length_b = 0;

 private:
  std::vector<Item> items_;
  std::vector<Span> only_in_longer_;  ///< by rank
};

double agreement(const Overlap::At& at, double depth, RboTies ties) {
  switch (ties) {
    case RboTies::kA:
      return at.common / depth;
    case RboTies::kB:
      return at.common / std::sqrt(at.squares_a * at.squares_b);
    case RboTies::kW:
      break;
  }
  return 2 * at.common / (at.squares_a + at.squares_b);
}

}  // namespace

TiedRanking ranking_of(const statistics::SystemScores& scores) {
  std::vector<std::size_t> order(scores.systems.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scores.scores[a] != scores.scores[b] ? scores.scores[a] > scores.scores[b]
                                                : scores.systems[a] < scores.systems[b];
  });
  TiedRanking ranking;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || scores.scores[order[i]] != scores.scores[order[i - 1]]) ranking.emplace_back();
    ranking.back().push_back(scores.systems[order[i]]);
  }
  return ranking;
}

Rbo rank_biased_overlap(const TiedRanking& a, const TiedRanking& b, double p, RboTies ties) {
  TS_CHECK(p > 0 && p < 1, "rank-biased overlap needs 0 < p < 1");
  const Overlap overlap(a, b);
  const double shorter = std::min(overlap.length_a, overlap.length_b);
  const double longer = std::max(overlap.length_a, overlap.length_b);
  double power = 1;       // p^depth
  double harmonic = 0;    // sum of p^d / d
  double at_shorter = 0;  // agreement where the shorter ranking ends
  double last = 0, common = 0;
  Rbo rbo;
  for (double depth = 1; depth <= longer; ++depth) {
    power *= p;
    harmonic += power / depth;
    auto at = overlap.at(depth, ties);
    common = at.common;
    const double unseen = std::max(0.0, depth - shorter);  // ranks that the shorter ranking lacks
    (overlap.length_a < overlap.length_b ? at.squares_a : at.squares_b) += unseen;
    const auto agreement_with = [&](double more) {
      at.common = common + more;
      return agreement(at, depth, ties);
    };
    const double seen = agreement_with(0);
    if (depth <= shorter) at_shorter = seen;
    const auto unmatched = overlap.unmatched(depth, unseen, ties);
    last = agreement_with(unseen * at_shorter * unmatched.mean);
    rbo.minimum += power * seen;
    rbo.extrapolated += power * last;
    rbo.maximum += power * agreement_with(unmatched.first);
  }
  // Below the end of the longer ranking all ties are complete. The extrapolation keeps the last agreement. The minimum
  // adds no common item. The maximum adds one at each depth until all items are common at depth `full`.
  rbo.extrapolated += last * power * p / (1 - p);
  rbo.minimum += common * (std::log(1 / (1 - p)) - harmonic);
  const double full = shorter + longer - common;
  for (double depth = longer + 1; depth <= full; ++depth) {
    power *= p;
    rbo.maximum += power * (2 * depth - full) / depth;
  }
  rbo.maximum += power * p / (1 - p);
  for (double* value : {&rbo.extrapolated, &rbo.minimum, &rbo.maximum}) *value *= (1 - p) / p;
  rbo.residual = rbo.maximum - rbo.minimum;
  return rbo;
}

double average_overlap(const TiedRanking& a, const TiedRanking& b, std::size_t depth) {
  const Overlap overlap(a, b);
  const double end = depth > 0 ? static_cast<double>(depth) : std::min(overlap.length_a, overlap.length_b);
  double sum = 0;
  for (double d = 1; d <= end; ++d) sum += overlap.at(d, RboTies::kA).common / d;
  return sum / end;
}

}  // namespace touchstone::analysis::agreement
