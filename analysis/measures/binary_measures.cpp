#include "analysis/measures/ranking.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// Measures of passages that are relevant or not. The formulas are those of trec_eval 10; its test suite gives the same
// values.
namespace touchstone::analysis::measures::internal {
namespace {

/// Least value of a topic in a geometric mean, which a single 0 would make 0.
constexpr double kGeometricFloor = .00001;
/// Smoothing of infAP's estimate of precision.
constexpr double kInferredEpsilon = .00001;

double ratio(double numerator, double denominator) noexcept {
  return denominator == 0 ? 0 : numerator / denominator;
}

double sum_of_precisions(const View& view, std::uint32_t depth) {
  double sum = 0;
  std::uint32_t seen = 0;
  for (const auto rank : view.relevant_ranks) {
    if (rank >= depth) break;
    sum += static_cast<double>(++seen) / (rank + 1.0);
  }
  return sum;
}

double bpref(const View& view) {
  double sum = 0;
  std::uint32_t nonrelevant = 0;
  for (const auto& hit : view.hits) {
    if (hit.grade < 0) continue;
    if (hit.grade < view.min_grade) {
      ++nonrelevant;
    } else {
      sum += nonrelevant == 0 ? 1.0
                              : 1.0 - static_cast<double>(std::min(nonrelevant, view.relevant)) /
                                          std::min(view.judged_nonrelevant, view.relevant);
    }
  }
  return ratio(sum, view.relevant);
}

double inferred_ap(const View& view) {
  double sum = 0;
  std::uint32_t relevant = 0, nonrelevant = 0, unjudged = 0;
  for (const auto& hit : view.hits) {
    if (hit.grade < 0) {
      ++unjudged;
    } else if (hit.grade < view.min_grade) {
      ++nonrelevant;
    } else {
      if (hit.rank == 0) {
        sum += 1;
      } else {
        const double above = hit.rank;
        sum += 1 / (above + 1) + (above / (above + 1)) * ((relevant + nonrelevant + unjudged) / above) *
                                     ((relevant + kInferredEpsilon) / (relevant + nonrelevant + 2 * kInferredEpsilon));
      }
      ++relevant;
    }
  }
  return ratio(sum, view.relevant);
}

/// Highest precision from the rank on where the share `level` of the relevant passages is found. As in trec_eval 10,
/// the number of these passages is rounded to the nearest integer.
double interpolated_precision(const View& view, double level) {
  const auto wanted = static_cast<std::size_t>(std::lround(level * view.relevant));
  double best = 0;
  for (std::size_t i = view.relevant_ranks.size(); i > 0 && i >= wanted; --i) {
    best = std::max(best, static_cast<double>(i) / (view.relevant_ranks[i - 1] + 1.0));
  }
  return best;
}

double set_f(const View& view, double x) {
  if (view.relevant_ranks.empty()) return 0;
  const double precision = static_cast<double>(view.relevant_retrieved()) / view.retrieved;
  const double recall = static_cast<double>(view.relevant_retrieved()) / view.relevant;
  return (x + 1) * precision * recall / (x * precision + recall);
}

double utility(const Measure& measure, const View& view, std::uint64_t collection_size) {
  const double found = view.relevant_retrieved(), retrieved = view.retrieved, relevant = view.relevant;
  const auto& worth = measure.numbers;
  return worth[0] * found + worth[1] * (retrieved - found) + worth[2] * (relevant - found) +
         worth[3] * (static_cast<double>(collection_size) + found - retrieved - relevant);
}

/// trec_eval takes passages with a negative grade for unjudged, ir_measures for judged.
double judged(const View& view, std::uint32_t depth) {
  const auto end = std::find_if(view.hits.begin(), view.hits.end(), [&](const Hit& hit) { return hit.rank >= depth; });
  return ratio(static_cast<double>(end - view.hits.begin()), std::min(depth, view.retrieved));
}

double unjudged(const View& view, std::uint32_t cutoff) {
  std::uint32_t unjudged = std::min(cutoff, view.retrieved);
  for (const auto& hit : view.hits) {
    if (hit.rank < cutoff && hit.grade >= 0) --unjudged;
  }
  return static_cast<double>(unjudged) / cutoff;
}

double rbp(const Measure& measure, const View& view) {
  const double p = measure.numbers.front();
  double sum = 0;
  for (const auto rank : view.relevant_ranks) {
    if (rank < depth_of(measure)) sum += std::pow(p, rank);
  }
  return (1 - p) * sum;
}

double rbp_residual(const Measure& measure, const View& view) {
  const double p = measure.numbers.empty() ? .9 : measure.numbers.front();
  double weight = 1, sum = 0;
  auto hit = view.hits.begin();
  for (std::uint32_t rank = 0; rank < view.retrieved; ++rank) {
    const bool is_hit = hit != view.hits.end() && hit->rank == rank;
    if (!is_hit || hit->grade < 0) sum += weight;
    if (is_hit) ++hit;
    weight *= p;
  }
  return sum == 0 ? 0 : weight + (1 - p) * sum;
}

/// The share of pairs of a relevant and a non-relevant passage among the first `depth` where the relevant one is first.
/// ir_measures divides by zero where no passage is non-relevant; here such a topic has no value, like a topic without a
/// relevant one.
double accuracy(const View& view, std::uint32_t depth) {
  const double first = std::min(depth, view.retrieved), relevant = view.relevant_in_first(depth);
  const double nonrelevant = first - relevant;
  if (relevant == 0 || nonrelevant == 0) return std::numeric_limits<double>::quiet_NaN();
  double wrong = 0;  // pairs
  for (std::uint32_t i = 0; i < view.relevant_in_first(depth); ++i) wrong += view.relevant_ranks[i] - i;
  return 1 - wrong / (nonrelevant * relevant);
}

}  // namespace

View ViewMaker::view(const Ranking& ranking, std::span<const std::uint32_t> grade_counts, const Lens& lens) {
  View view;
  view.min_grade = lens.min_grade;
  view.retrieved = ranking.retrieved;
  view.hits = ranking.hits;
  view.grade_counts = grade_counts;
  if (lens.judged_only) {
    judged_.clear();
    for (Hit hit : ranking.hits) {
      if (hit.grade < 0) continue;
      hit.rank = static_cast<std::uint32_t>(judged_.size());
      judged_.push_back(hit);
    }
    view.hits = judged_;
    view.retrieved = static_cast<std::uint32_t>(judged_.size());
  }
  relevant_ranks_.clear();
  for (const auto& hit : view.hits) {
    if (hit.grade >= lens.min_grade && hit.grade >= 0) relevant_ranks_.push_back(hit.rank);
  }
  view.relevant_ranks = relevant_ranks_;
  for (std::size_t grade = 0; grade < grade_counts.size(); ++grade)
    (static_cast<int>(grade) >= lens.min_grade ? view.relevant : view.judged_nonrelevant) += grade_counts[grade];
  return view;
}

std::uint32_t View::relevant_in_first(std::uint64_t cutoff) const noexcept {
  return static_cast<std::uint32_t>(std::lower_bound(relevant_ranks.begin(), relevant_ranks.end(), cutoff) -
                                    relevant_ranks.begin());
}

std::uint32_t depth_of(const Measure& measure) noexcept {
  return measure.cutoff == 0 ? std::numeric_limits<std::uint32_t>::max() : measure.cutoff;
}

// Long because it has a case for each measure.
double binary_score(const Measure& measure, const View& view, std::uint64_t collection_size) {
  const auto depth = depth_of(measure);
  const double found = view.relevant_in_first(depth);
  switch (measure.kind) {
    case MeasureKind::kNumQ:
      return 1;
    case MeasureKind::kNumRet:
      return view.retrieved;
    case MeasureKind::kNumRel:
      return view.relevant;
    case MeasureKind::kNumRelRet:
      return found;
    case MeasureKind::kNumNonrelJudgedRet:
      return static_cast<double>(
                 std::count_if(view.hits.begin(), view.hits.end(), [](const Hit& hit) { return hit.grade >= 0; })) -
             found;
    case MeasureKind::kAp:
      return ratio(sum_of_precisions(view, depth), view.relevant);
    case MeasureKind::kGmMap:
      return std::log(std::max(ratio(sum_of_precisions(view, depth), view.relevant), kGeometricFloor));
    case MeasureKind::kYaap: {
      const double sum = sum_of_precisions(view, depth);
      return std::log((1 + sum) / (1 + view.relevant - sum));
    }
    case MeasureKind::kRprec:
      return ratio(view.relevant_in_first(view.relevant), view.relevant);
    case MeasureKind::kBpref:
      return bpref(view);
    case MeasureKind::kGmBpref:
      return std::log(std::max(bpref(view), kGeometricFloor));
    case MeasureKind::kInfAp:
      return inferred_ap(view);
    case MeasureKind::kReciprocalRank:
      return found == 0 ? 0 : 1 / (view.relevant_ranks.front() + 1.0);
    case MeasureKind::kIprec:
      return interpolated_precision(view, measure.numbers.front());
    case MeasureKind::kElevenPoint: {
      double sum = 0;
      for (const double level : measure.numbers) sum += interpolated_precision(view, level);
      return sum / static_cast<double>(measure.numbers.size());
    }
    case MeasureKind::kPrecision:
      return found / measure.cutoff;
    case MeasureKind::kRecall:
    case MeasureKind::kSetRecall:
      return ratio(found, view.relevant);
    case MeasureKind::kRelativePrecision:
      return ratio(found, std::min(measure.cutoff, view.relevant));
    case MeasureKind::kSuccess:
      return found > 0 ? 1 : 0;
    case MeasureKind::kRprecMult: {
      const auto cutoff = static_cast<std::uint64_t>(measure.numbers.front() * view.relevant + .9);
      return ratio(view.relevant_in_first(cutoff), static_cast<double>(cutoff));
    }
    case MeasureKind::kSetPrecision:
      return ratio(found, view.retrieved);
    case MeasureKind::kSetRelativePrecision:
      return ratio(found, std::min(view.retrieved, view.relevant));
    case MeasureKind::kSetAp:
      return ratio(found * found, static_cast<double>(view.retrieved) * view.relevant);
    case MeasureKind::kSetF:
      return set_f(view, measure.numbers.front());
    case MeasureKind::kUtility:
      return utility(measure, view, collection_size);
    case MeasureKind::kBinG: {
      double sum = 0;
      for (std::size_t i = 0; i < view.relevant_ranks.size(); ++i) {
        sum += 1 / log2_discount(view.relevant_ranks[i] - static_cast<std::uint32_t>(i));
      }
      return ratio(sum, view.relevant);
    }
    case MeasureKind::kAccuracy:
      return accuracy(view, depth);
    case MeasureKind::kJudged:
      return judged(view, depth);
    case MeasureKind::kUnjudged:
      return unjudged(view, measure.cutoff);
    case MeasureKind::kRbp:
      return rbp(measure, view);
    case MeasureKind::kRbpResidual:
      return rbp_residual(measure, view);
    default:
      TS_CHECK(false, "a measure of relevance or not");
      return 0;
  }
}

}  // namespace touchstone::analysis::measures::internal
