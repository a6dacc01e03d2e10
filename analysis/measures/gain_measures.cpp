#include "analysis/measures/ranking.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

// Measures of graded gain. Source of discounted cumulated gain (dcg): Jarvelin and Kekalainen, TOIS 20(4), 2002.
namespace touchstone::analysis::measures::internal {
namespace {

/// Grades of passages that were not judged, as QrelsTable and trec_eval number them.
constexpr int kNotInQrels = -1, kInPoolOnly = -2;

double gain_of(const Measure& measure, int grade) {
  for (const auto& [of, gain] : measure.gains) {
    if (of == grade) return gain;
  }
  return std::max(grade, 0);
}

double exponential_gain(int grade) {
  return grade <= 0 ? 0 : std::exp2(grade) - 1;
}

/// Gain of each retrieved passage, by rank.
std::vector<double> gains_by_rank(const Measure& measure, const View& view) {
  std::vector<double> gains(view.retrieved, gain_of(measure, kNotInQrels));
  for (const auto& hit : view.hits) gains[hit.rank] = gain_of(measure, hit.grade < 0 ? kInPoolOnly : hit.grade);
  return gains;
}

/// Positive gains of all judged passages in descending order: the ideal ranking.
std::vector<double> ideal_gains(const Measure& measure, const View& view) {
  std::vector<double> gains;
  for (std::size_t grade = 0; grade < view.grade_counts.size(); ++grade) {
    const double gain = gain_of(measure, static_cast<int>(grade));
    if (gain > 0) gains.insert(gains.end(), view.grade_counts[grade], gain);
  }
  std::sort(gains.begin(), gains.end(), std::greater<>());
  return gains;
}

/// dcg if the gain depends only on the grade and only positive grades have one.
template <class Gain>
double dcg_of_hits(const View& view, std::uint32_t depth, Gain gain) {
  double sum = 0;
  for (const auto& hit : view.hits) {
    if (hit.rank >= depth) break;
    if (hit.grade > 0) sum += gain(hit.grade) / log2_discount(hit.rank);
  }
  return sum;
}

template <class Gain>
double ideal_dcg_of_grades(const View& view, std::uint32_t depth, Gain gain) {
  double sum = 0;
  std::uint32_t rank = 0;
  for (std::size_t grade = view.grade_counts.size(); grade-- > 1 && rank < depth;) {
    for (std::uint32_t i = 0; i < view.grade_counts[grade] && rank < depth; ++i, ++rank) {
      sum += gain(static_cast<int>(grade)) / log2_discount(rank);
    }
  }
  return sum;
}

double dcg(const std::vector<double>& gains, std::uint32_t depth) {
  double sum = 0;
  for (std::uint32_t rank = 0; rank < std::min<std::size_t>(gains.size(), depth); ++rank) {
    if (gains[rank] != 0) sum += gains[rank] / log2_discount(rank);
  }
  return sum;
}

/// dcg of the ranking and of the ideal ranking.
std::pair<double, double> dcg_and_ideal(const Measure& measure, const View& view) {
  const auto depth = depth_of(measure);
  const auto both = [&](auto gain) {
    return std::pair(dcg_of_hits(view, depth, gain), ideal_dcg_of_grades(view, depth, gain));
  };
  if (measure.kind == MeasureKind::kNdcgExp) return both(exponential_gain);
  if (measure.gains.empty()) return both([](int grade) { return static_cast<double>(grade); });
  return {dcg(gains_by_rank(measure, view), depth), dcg(ideal_gains(measure, view), depth)};
}

/// dcg of each prefix: [i] is that of the first i ranks.
std::vector<double> prefix_dcg(const std::vector<double>& gains) {
  std::vector<double> sums(1, 0.0);
  sums.reserve(gains.size() + 1);
  for (std::uint32_t rank = 0; rank < gains.size(); ++rank) {
    sums.push_back(gains[rank] == 0 ? sums.back() : sums.back() + gains[rank] / log2_discount(rank));
  }
  return sums;
}

double ndcg_at_relevant(const Measure& measure, const View& view) {
  const auto gains = gains_by_rank(measure, view), ideal = ideal_gains(measure, view);
  if (ideal.empty()) return 0;
  const auto found = prefix_dcg(gains), best = prefix_dcg(ideal);
  double sum = 0;
  std::size_t retrieved = 0;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    if (gains[i] <= 0) continue;
    ++retrieved;
    sum += found[i + 1] / best[std::min(i + 1, ideal.size())];
  }
  sum += (static_cast<double>(ideal.size()) - static_cast<double>(retrieved)) * found.back() / best.back();
  return sum > 0 ? sum / static_cast<double>(ideal.size()) : 0;
}

double ndcg_at_gain_changes(const Measure& measure, const View& view) {
  const auto gains = gains_by_rank(measure, view), ideal = ideal_gains(measure, view);
  if (view.relevant == 0 || ideal.empty()) return 0;
  const auto found = prefix_dcg(gains), best = prefix_dcg(ideal);
  double sum = 0;
  std::size_t places = 0;
  for (std::size_t i = 1; i <= ideal.size(); ++i) {
    if (i < ideal.size() && ideal[i] == ideal[i - 1]) continue;
    sum += found[std::min(i, gains.size())] / best[i];
    ++places;
  }
  if (gains.size() > ideal.size() + 1) {  // beyond the ideal ranking, the end of the ranking counts as a change
    sum += found.back() / best.back();
    ++places;
  }
  return sum / static_cast<double>(places);
}

double normalised_gain(const Measure& measure, const View& view) {
  constexpr double kLeastCost = 1;
  const auto gains = gains_by_rank(measure, view), ideal = ideal_gains(measure, view);
  double cost = 0, gained = 0, sum = 0, ideal_sum = 0;
  for (const double gain : ideal) ideal_sum += gain;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    gained += gains[i];
    cost += std::max(i < ideal.size() ? ideal[i] : 0.0, kLeastCost);
    if (gains[i] != 0) sum += gains[i] / std::log2(2 + cost - gained);
  }
  return ideal_sum > 0 ? sum / ideal_sum : 0;
}

/// Gains outside 0 ... 1 are scaled to it by the lowest and highest gain of the topic.
double graded_rbp(const Measure& measure, const View& view) {
  double low = 0, high = 0;
  const auto widen = [&](double gain) { low = std::min(low, gain), high = std::max(high, gain); };
  for (std::size_t grade = 0; grade < view.grade_counts.size(); ++grade) {
    widen(gain_of(measure, static_cast<int>(grade)));
  }
  for (const auto& [grade, gain] : measure.gains) widen(gain);
  const bool scale = low < 0 || high > 1;
  const double p = measure.numbers.empty() ? .9 : measure.numbers.front();
  double sum = 0;
  for (const auto& hit : view.hits) {
    if (hit.grade < 0) continue;
    const double gain = gain_of(measure, hit.grade);
    sum += (scale ? (gain - low) / (high - low) : gain) * std::pow(p, hit.rank);
  }
  return (1 - p) * sum;
}

double expected_reciprocal_rank(const Measure& measure, const View& view) {
  const double most = std::exp2(measure.numbers.front());
  double sum = 0, reaches = 1;
  for (const auto& hit : view.hits) {
    if (hit.rank >= depth_of(measure)) break;
    const double stops = exponential_gain(hit.grade) / most;
    sum += stops * reaches / (hit.rank + 1.0);
    reaches *= 1 - stops;
  }
  return sum;
}

}  // namespace

double log2_discount(std::uint32_t index) noexcept {
  static const auto kTable = [] {
    std::array<double, 4096> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = std::log2(static_cast<double>(i + 2));
    return table;
  }();
  return index < kTable.size() ? kTable[index] : std::log2(index + 2.0);
}

double gain_score(const Measure& measure, const View& view) {
  switch (measure.kind) {
    case MeasureKind::kDcg:
      return dcg_and_ideal(measure, view).first;
    case MeasureKind::kIdealDcg:
      return dcg_and_ideal(measure, view).second;
    case MeasureKind::kNdcg:
    case MeasureKind::kNdcgExp: {
      const auto [found, ideal] = dcg_and_ideal(measure, view);
      return ideal > 0 ? found / ideal : 0;
    }
    case MeasureKind::kNdcgRel:
      return ndcg_at_relevant(measure, view);
    case MeasureKind::kRndcg:
      return ndcg_at_gain_changes(measure, view);
    case MeasureKind::kG:
      return normalised_gain(measure, view);
    case MeasureKind::kGradedRbp:
      return graded_rbp(measure, view);
    case MeasureKind::kErr:
      return expected_reciprocal_rank(measure, view);
    default:
      TS_CHECK(false, "a measure of gain");
      return 0;
  }
}

}  // namespace touchstone::analysis::measures::internal
