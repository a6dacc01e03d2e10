#include "analysis/agreement/correlation.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace touchstone::analysis {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

double ratio(double part, double whole) {
  return whole == 0 ? kUndefined : part / whole;
}

std::uint64_t pairs_of(std::uint64_t n) {
  return n * (n - 1) / 2;
}

std::vector<std::size_t> indices(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Sorts `values` and returns how many pairs were out of order.
std::uint64_t sort_counting(std::vector<double>& values) {
  std::uint64_t swaps = 0;
  std::vector<double> merged(values.size());
  for (std::size_t width = 1; width < values.size(); width *= 2) {
    for (std::size_t low = 0; low < values.size(); low += 2 * width) {
      const std::size_t middle = std::min(low + width, values.size()), high = std::min(low + 2 * width, values.size());
      std::size_t left = low, right = middle;
      for (std::size_t out = low; out < high; ++out) {
        if (left < middle && (right == high || values[left] <= values[right])) {
          merged[out] = values[left++];
        } else {
          merged[out] = values[right++];
          swaps += middle - left;
        }
      }
    }
    values.swap(merged);
  }
  return swaps;
}

/// Pairs of equal elements in a sequence where equal ones stand together.
template <class Equal>
std::uint64_t tied_pairs(std::size_t count, const Equal& equal) {
  std::uint64_t pairs = 0;
  for (std::size_t first = 0, last; first < count; first = last) {
    last = first + 1;
    while (last < count && equal(last - 1, last)) ++last;
    pairs += pairs_of(last - first);
  }
  return pairs;
}

bool has_ties(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

/// One direction of tau_AP,b: over items below the top group of `y`, the share of items above them that `x` has above
/// them too.
double half_tau_ap_b(std::span<const double> x, std::span<const double> y) {
  double sum = 0, pivots = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double above = 0, concordant = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (y[j] <= y[i]) continue;
      ++above;
      concordant += x[j] > x[i];
    }
    if (above == 0) continue;
    ++pivots;
    sum += concordant / above;
  }
  return 2 * ratio(sum, pivots) - 1;
}

/// Ranks from 1, equal values share their mean rank.
std::vector<double> mean_ranks(std::span<const double> values) {
  auto order = indices(values.size());
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0, last; first < order.size(); first = last) {
    last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = static_cast<double>(first + last + 1) / 2;
  }
  return ranks;
}

/// Ranks that an item's group takes, from 1.
struct Span {
  double top = 0, bottom = 0;  ///< both 0: not in the ranking

  /// How much of the item stands at or above `depth`.
  double share(double depth, RboTies ties) const {
    if (top == 0 || top > depth) return 0;
    if (ties == RboTies::kW || bottom <= depth) return 1;
    return (depth - top + 1) / (bottom - top + 1);
  }
};

/// The items of two rankings, and how their tops overlap.
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
          TS_CHECK(item.top == 0, "an item stands twice in a ranking");
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

  /// Items of the longer ranking alone, which the shorter might go on with: what the first `count` of them have at or
  /// above `depth` together, and what one of those that begin there has on average.
  struct Unmatched {
    double first = 0, mean = 0;
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

PairCounts count_pairs(std::span<const double> x, std::span<const double> y) {
  TS_CHECK(x.size() == y.size(), "two score lists of different length");
  PairCounts counts;
  if (x.size() < 2) return counts;
  auto order = indices(x.size());
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return x[a] != x[b] ? x[a] < x[b] : y[a] < y[b]; });
  counts.pairs = pairs_of(x.size());
  counts.tied_in_first = tied_pairs(x.size(), [&](std::size_t a, std::size_t b) { return x[order[a]] == x[order[b]]; });
  counts.tied_in_both = tied_pairs(
      x.size(), [&](std::size_t a, std::size_t b) { return x[order[a]] == x[order[b]] && y[order[a]] == y[order[b]]; });
  std::vector<double> values;
  for (const std::size_t i : order) values.push_back(y[i]);
  counts.discordant = sort_counting(values);
  counts.tied_in_second = tied_pairs(x.size(), [&](std::size_t a, std::size_t b) { return values[a] == values[b]; });
  counts.concordant =
      counts.pairs + counts.tied_in_both - counts.tied_in_first - counts.tied_in_second - counts.discordant;
  return counts;
}

double kendall_tau_a(const PairCounts& counts) {
  return ratio(static_cast<double>(counts.concordant) - static_cast<double>(counts.discordant),
               static_cast<double>(counts.pairs));
}

double kendall_tau_b(const PairCounts& counts) {
  return ratio(static_cast<double>(counts.concordant) - static_cast<double>(counts.discordant),
               std::sqrt(static_cast<double>(counts.pairs - counts.tied_in_first) *
                         static_cast<double>(counts.pairs - counts.tied_in_second)));
}

double error_rate(const PairCounts& counts) {
  return 100 * ratio(static_cast<double>(counts.discordant), static_cast<double>(counts.pairs));
}

double tau_ap_a(std::span<const double> x, std::span<const double> y) {
  TS_CHECK(x.size() == y.size(), "two score lists of different length");
  if (x.size() < 2 || has_ties(x)) return kUndefined;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double above = 0, concordant_above = 0, tied = 0, concordant_tied = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j == i || y[j] < y[i]) continue;
      (y[j] > y[i] ? above : tied) += 1;
      (y[j] > y[i] ? concordant_above : concordant_tied) += x[j] > x[i];
    }
    // The item comes at each place of its group equally often, the others of the group before it at random.
    for (double before = 0; before <= tied; ++before) {
      if (above + before == 0) continue;
      const double concordant = concordant_above + (tied > 0 ? concordant_tied * before / tied : 0);
      sum += concordant / (above + before) / (tied + 1);
    }
  }
  return 2 * sum / static_cast<double>(x.size() - 1) - 1;
}

double tau_ap_b(std::span<const double> x, std::span<const double> y) {
  TS_CHECK(x.size() == y.size(), "two score lists of different length");
  return (half_tau_ap_b(x, y) + half_tau_ap_b(y, x)) / 2;
}

double spearman_rho(std::span<const double> x, std::span<const double> y) {
  TS_CHECK(x.size() == y.size(), "two score lists of different length");
  const auto rank_x = mean_ranks(x), rank_y = mean_ranks(y);
  const double centre = static_cast<double>(x.size() + 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = rank_x[i] - centre, dy = rank_y[i] - centre;
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return ratio(xy, std::sqrt(xx * yy));
}

TiedRanking ranking_of(const SystemScores& scores) {
  auto order = indices(scores.systems.size());
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
    const double unseen = std::max(0.0, depth - shorter);  // items that the shorter ranking does not tell
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
  // Below the longer ranking's end, where all ties are complete: for the extrapolation the agreement stays; for the
  // minimum nothing is common any more; for the maximum each unseen item is, until all are at depth `full`.
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

PairCounts count_pairs(std::span<const SystemRelation> first, std::span<const SystemRelation> second) {
  TS_CHECK(first.size() == second.size(), "relations of different pairs");
  PairCounts counts;
  counts.pairs = first.size();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double x = first[i].difference, y = second[i].difference;
    counts.tied_in_first += x == 0;
    counts.tied_in_second += y == 0;
    counts.tied_in_both += x == 0 && y == 0;
    counts.concordant += (x > 0 && y > 0) || (x < 0 && y < 0);
    counts.discordant += (x > 0 && y < 0) || (x < 0 && y > 0);
  }
  return counts;
}

double concordance_of_significant(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                  double alpha) {
  TS_CHECK(reference.size() == other.size(), "relations of different pairs");
  double significant = 0, concordant = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (reference[i].p_value > alpha) continue;
    ++significant;
    concordant += reference[i].difference * other[i].difference > 0;
  }
  return ratio(concordant, significant);
}

double PartialTau::tau() const {
  return ratio(static_cast<double>(concordant) - static_cast<double>(discordant), static_cast<double>(pairs));
}

PartialTau partial_tau(std::span<const SystemRelation> reference, std::span<const SystemRelation> other, double low,
                       double high) {
  TS_CHECK(reference.size() == other.size(), "relations of different pairs");
  PartialTau result;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (reference[i].p_value < low || reference[i].p_value >= high) continue;
    ++result.pairs;
    const double product = reference[i].difference * other[i].difference;
    result.concordant += product > 0;
    result.discordant += product < 0;
  }
  return result;
}

double DecisionAgreement::precision() const {
  return ratio(static_cast<double>(active_agreements),
               static_cast<double>(active_agreements + active_disagreements + mixed_agreements_other +
                                   mixed_disagreements_other));
}

double DecisionAgreement::recall() const {
  return ratio(static_cast<double>(active_agreements),
               static_cast<double>(active_agreements + active_disagreements + mixed_agreements_reference +
                                   mixed_disagreements_reference));
}

double DecisionAgreement::publication_bias() const {
  return 1 -
         ratio(static_cast<double>(active_agreements), static_cast<double>(active_agreements + active_disagreements +
                                                                           mixed_agreements() + mixed_disagreements()));
}

DecisionAgreement decision_agreement(std::span<const SystemRelation> reference, std::span<const SystemRelation> other,
                                     double alpha) {
  TS_CHECK(reference.size() == other.size(), "relations of different pairs");
  DecisionAgreement result;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const bool alike = reference[i].difference * other[i].difference >= 0;
    const bool in_reference = reference[i].p_value <= alpha, in_other = other[i].p_value <= alpha;
    if (in_reference && in_other) {
      ++(alike ? result.active_agreements : result.active_disagreements);
    } else if (in_reference) {
      ++(alike ? result.mixed_agreements_reference : result.mixed_disagreements_reference);
    } else if (in_other) {
      ++(alike ? result.mixed_agreements_other : result.mixed_disagreements_other);
    } else {
      ++(alike ? result.passive_agreements : result.passive_disagreements);
    }
  }
  return result;
}

}  // namespace touchstone::analysis
