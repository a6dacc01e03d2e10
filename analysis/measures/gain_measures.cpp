#include "analysis/measures/ranking.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

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

/// Rank-biased overlap of two rankings of which the items enter the common part at the given depths (from 1,
/// ascending), over the first `depth` ranks. Source: ir_measures, compat_provider.py (read 2026-11), after C. L. A.
/// Clarke, A. Vtyurina, M. D. Smucker, "Assessing Top-k Preferences", TOIS 2021.
double truncated_overlap(const std::vector<std::uint32_t>& enters, std::uint32_t depth, double p) {
  double sum = 0, norm = 0, weight = 1;
  std::size_t common = 0;
  for (std::uint32_t d = 1; d <= depth; ++d) {
    while (common < enters.size() && enters[common] <= d) ++common;
    sum += weight * static_cast<double>(common) / d;
    norm += weight;
    weight *= p;
  }
  return norm == 0 ? 0 : sum / norm;
}

/// The ideal ranking has the passages with grades above 0 by grade; equal grades are in the order of the run, those
/// that it lacks last.
double compatibility(const Measure& measure, const View& view) {
  std::vector<std::uint32_t> first_of(view.grade_counts.size()), enters;  // ideal rank of each grade's first passage
  std::uint32_t ideal = 0;
  for (std::size_t grade = view.grade_counts.size(); grade-- > 1;) {
    first_of[grade] = ideal;
    ideal += view.grade_counts[grade];
  }
  for (const auto& hit : view.hits) {
    if (hit.grade <= 0) continue;
    enters.push_back(std::max(hit.rank, first_of[static_cast<std::size_t>(hit.grade)]++) + 1);
  }
  std::sort(enters.begin(), enters.end());
  const std::uint32_t depth = std::max(view.retrieved, ideal);
  const double p = measure.numbers[0], score = truncated_overlap(enters, depth, p);
  if (measure.numbers[1] == 0) return score;
  std::vector<std::uint32_t> all(ideal);
  std::iota(all.begin(), all.end(), 1U);
  const double best = truncated_overlap(all, depth, p);
  return best > 0 ? score / best : score;
}

/// A user of the C/W/L framework who goes on from rank i with probability ((d - 1) / d)^2, where d = i + 2 T less the
/// gain found so far (INST), or i + 2 T (INSQ). The value is the gain expected at the rank that the user looks at.
/// Rankings are padded or cut to 1,000 ranks, as in cwl_eval. Source: A. Moffat, P. Bailey, F. Scholer, P. Thomas,
/// "INST: An Adaptive Metric for Information Retrieval Evaluation", ADCS 2015; A. Moffat, F. Scholer, P. Thomas,
/// "Models and Metrics", ADCS 2012; code: cwl_inst.py, cwl_insq.py.
double adaptive_gain(const Measure& measure, const View& view) {
  constexpr std::uint32_t kRanks = 1000;
  const double target = measure.numbers[0], low = measure.numbers[1], high = measure.numbers[2];
  const bool reacts = measure.kind == MeasureKind::kInst;
  double weight = 1, weights = 0, sum = 0, gained = 0;
  auto hit = view.hits.begin();
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    double gain = 0;
    if (hit != view.hits.end() && hit->rank == rank) {
      gain = (std::clamp<double>(std::max<int>(hit->grade, 0), low, high) - low) / (high - low);
      ++hit;
    }
    weights += weight;
    sum += weight * gain;
    gained += gain;
    const double d = rank + 1 + 2 * target - (reacts ? gained : 0);
    weight *= (d - 1) / d * ((d - 1) / d);
  }
  return sum / weights;
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
    case MeasureKind::kCompat:
      return compatibility(measure, view);
    case MeasureKind::kInst:
    case MeasureKind::kInsq:
      return adaptive_gain(measure, view);
    default:
      TS_CHECK(false, "a measure of gain");
      return 0;
  }
}

}  // namespace touchstone::analysis::measures::internal
