#include "analysis/agreement/rank_correlation.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::analysis::agreement {
namespace {

using internal::ratio;

constexpr double kNoCorrelation = std::numeric_limits<double>::quiet_NaN();

std::uint64_t pairs_of(std::uint64_t n) {
  return n * (n - 1) / 2;
}

std::vector<std::size_t> indices(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Sorts `values` by merging and returns the number of pairs that were out of order.
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

/// Number of pairs of equal elements in a sequence where equal elements are adjacent.
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

/// One direction of tau_AP,b. Takes each item below the top group of `y` and averages the share of the items above it
/// that are above it in `x` too.
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

/// Ranks from 1; equal values share their mean rank.
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
  if (x.size() < 2 || has_ties(x)) return kNoCorrelation;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double above = 0, concordant_above = 0, tied = 0, concordant_tied = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j == i || y[j] < y[i]) continue;
      (y[j] > y[i] ? above : tied) += 1;
      (y[j] > y[i] ? concordant_above : concordant_tied) += x[j] > x[i];
    }
    // Over all ways to break the ties, the item takes each place of its group equally often, and the members of the
    // group that come before it are a random subset.
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

double internal::ratio(double part, double whole) {
  return whole == 0 ? kNoCorrelation : part / whole;
}

Correlation correlate(const statistics::SystemScores& first, const statistics::SystemScores& second, double p) {
  std::map<std::string, double> other;
  for (std::size_t i = 0; i < second.systems.size(); ++i) other[second.systems[i]] = second.scores[i];
  std::vector<double> x, y;
  Correlation result;
  result.first_file = first.file;
  result.first_column = first.column;
  result.first_measure = first.measure;
  result.second_file = second.file;
  result.second_column = second.column;
  result.second_measure = second.measure;
  for (std::size_t i = 0; i < first.systems.size(); ++i) {
    const auto found = other.find(first.systems[i]);
    if (found == other.end()) continue;
    x.push_back(first.scores[i]);
    y.push_back(found->second);
  }
  result.common = x.size();
  result.only_first = first.systems.size() - x.size();
  result.only_second = second.systems.size() - x.size();
  if (x.size() < 2)
    throw Error(fmt::format(
        "the two rankings have {} systems in common and a correlation needs two; are their systems named alike?",
        x.size()));
  result.pairs = count_pairs(x, y);
  result.tau_a = kendall_tau_a(result.pairs);
  result.tau_b = kendall_tau_b(result.pairs);
  result.tau_ap_a = tau_ap_a(x, y);
  result.tau_ap_b = tau_ap_b(x, y);
  result.spearman = spearman_rho(x, y);
  const auto a = ranking_of(first), b = ranking_of(second);
  result.average_overlap = average_overlap(a, b);
  result.p = p;
  result.rbo_a = rank_biased_overlap(a, b, p, RboTies::kA);
  result.rbo_b = rank_biased_overlap(a, b, p, RboTies::kB);
  result.rbo_w = rank_biased_overlap(a, b, p, RboTies::kW);
  return result;
}

}  // namespace touchstone::analysis::agreement
