#include "analysis/agreement/coefficients.hpp"

#include "analysis/statistics/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace touchstone::analysis::agreement {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// The form that all kappas share.
double beyond_chance(double observed, double expected) {
  return expected >= 1 ? kUndefined : (observed - expected) / (1 - expected);
}

double cohen_of_pair(const Ratings& ratings, ItemSet items, std::size_t first, std::size_t second) {
  std::map<int, std::pair<double, double>> margins;
  double agreed = 0;
  for (const auto item : items) {
    const int a = ratings.at(item, first), b = ratings.at(item, second);
    agreed += a == b;
    ++margins[a].first;
    ++margins[b].second;
  }
  const auto n = static_cast<double>(items.size());
  double expected = 0;
  for (const auto& [grade, counts] : margins) expected += counts.first * counts.second / (n * n);
  return beyond_chance(agreed / n, expected);
}

enum class Distance : std::uint8_t { kNominal, kOrdinal, kInterval };

double krippendorff(const Ratings& ratings, ItemSet items, Distance distance) {
  const auto grades = internal::distinct_grades(ratings);
  const std::size_t k = grades.size();
  // Coincidences: each item spreads its ordered pairs of grades over 1 / (grades of the item - 1).
  std::vector<double> coincidences(k * k), row(k), totals(k);
  for (const auto item : items) {
    std::fill(row.begin(), row.end(), 0);
    double judged = 0;
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a) {
      if (ratings.at(item, a) == Ratings::kMissing) continue;
      ++row[internal::index_of(grades, ratings.at(item, a))];
      ++judged;
    }
    if (judged < 2) continue;
    for (std::size_t c = 0; c < k; ++c)
      for (std::size_t d = 0; d < k; ++d) coincidences[c * k + d] += row[c] * (row[d] - (c == d)) / (judged - 1);
  }
  for (std::size_t c = 0; c < k; ++c)
    for (std::size_t d = 0; d < k; ++d) totals[c] += coincidences[c * k + d];
  const double all = std::accumulate(totals.begin(), totals.end(), 0.0);
  double observed = 0, expected = 0;
  for (std::size_t c = 0; c < k; ++c) {
    double between = totals[c] / 2;  // grades from c up to d, the ends by half
    for (std::size_t d = c + 1; d < k; ++d) {
      between += totals[d];
      const double steps = distance == Distance::kNominal   ? 1
                           : distance == Distance::kOrdinal ? between - totals[d] / 2
                                                            : grades[d] - grades[c];
      observed += coincidences[c * k + d] * steps * steps;
      expected += totals[c] * totals[d] * steps * steps;
    }
  }
  return expected == 0 ? kUndefined : 1 - (all - 1) * observed / expected;
}

/// First and last + 1 of the items of each topic; items are sorted by topic.
std::vector<std::pair<std::uint32_t, std::uint32_t>> topic_ranges(const Ratings& ratings) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  for (std::uint32_t i = 0; i < ratings.items.size(); ++i) {
    if (i == 0 || ratings.items[i].first != ratings.items[i - 1].first) ranges.emplace_back(i, i);
    ranges.back().second = i + 1;
  }
  return ranges;
}

}  // namespace

std::vector<std::uint32_t> all_items(const Ratings& ratings) {
  std::vector<std::uint32_t> items(ratings.items.size());
  std::iota(items.begin(), items.end(), 0U);
  return items;
}

double overlap(const Ratings& ratings, ItemSet items) {
  double agreed = 0;
  for (const auto item : items) {
    bool same = true;
    for (std::size_t a = 1; a < ratings.assessors.size(); ++a)
      same = same && ratings.at(item, a) == ratings.at(item, 0);
    agreed += same;
  }
  return items.empty() ? kUndefined : agreed / static_cast<double>(items.size());
}

double cohen_kappa(const Ratings& ratings, ItemSet items) {
  if (items.empty()) return kUndefined;
  double sum = 0, pairs = 0;
  for (std::size_t a = 0; a < ratings.assessors.size(); ++a) {
    for (std::size_t b = a + 1; b < ratings.assessors.size(); ++b) {
      sum += cohen_of_pair(ratings, items, a, b);
      ++pairs;
    }
  }
  return sum / pairs;
}

double fleiss_kappa(const Ratings& ratings, ItemSet items) {
  if (items.empty()) return kUndefined;
  const auto n = static_cast<double>(ratings.assessors.size());
  const auto count = static_cast<double>(items.size());
  std::map<int, double> totals, row;
  double observed = 0;
  for (const auto item : items) {
    row.clear();
    for (std::size_t a = 0; a < ratings.assessors.size(); ++a) ++row[ratings.at(item, a)];
    for (const auto& [grade, times] : row) {
      totals[grade] += times;
      observed += times * (times - 1) / (n * (n - 1) * count);
    }
  }
  double expected = 0;
  for (const auto& [grade, times] : totals) expected += times * times / (n * count * n * count);
  return beyond_chance(observed, expected);
}

double krippendorff_nominal(const Ratings& ratings, ItemSet items) {
  return krippendorff(ratings, items, Distance::kNominal);
}
double krippendorff_ordinal(const Ratings& ratings, ItemSet items) {
  return krippendorff(ratings, items, Distance::kOrdinal);
}
double krippendorff_interval(const Ratings& ratings, ItemSet items) {
  return krippendorff(ratings, items, Distance::kInterval);
}

double macro_mean(const Ratings& ratings, ItemSet items, AgreementStatistic statistic) {
  if (ratings.items.empty() || ratings.items.front().first == ratings.items.back().first)
    return statistic(ratings, items);
  // A topic that a resample holds twice counts twice, since its items come in runs.
  double sum = 0, topics = 0;
  for (std::size_t first = 0, last; first < items.size(); first = last) {
    last = first + 1;
    while (last < items.size() && items[last] > items[last - 1] &&
           ratings.items[items[last]].first == ratings.items[items[first]].first)
      ++last;
    const double value = statistic(ratings, items.subspan(first, last - first));
    if (std::isnan(value)) continue;
    sum += value;
    ++topics;
  }
  return topics == 0 ? kUndefined : sum / topics;
}

Interval bootstrap_interval(const Ratings& ratings, const std::function<double(const Ratings&, ItemSet)>& statistic,
                            std::size_t resamples, std::uint64_t seed, double level) {
  auto units = topic_ranges(ratings);
  if (units.size() == 1) {
    units.clear();
    for (std::uint32_t i = 0; i < ratings.items.size(); ++i) units.emplace_back(i, i + 1);
  }
  statistics::Random random(seed);
  std::vector<double> values;
  std::vector<std::uint32_t> items;
  for (std::size_t b = 0; b < resamples && !units.empty(); ++b) {
    items.clear();
    for (std::size_t u = 0; u < units.size(); ++u) {
      const auto [first, last] = units[random.below(static_cast<std::uint32_t>(units.size()))];
      for (std::uint32_t i = first; i < last; ++i) items.push_back(i);
    }
    const double value = statistic(ratings, items);
    if (!std::isnan(value)) values.push_back(value);
  }
  if (values.empty()) return {kUndefined, kUndefined};
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double share) {
    const auto rank = static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)));
    return values[rank];
  };
  return {quantile((1 - level) / 2), quantile((1 + level) / 2)};
}

}  // namespace touchstone::analysis::agreement
