#include "analysis/audit/calibration.hpp"

#include "analysis/audit/strata.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace touchstone::analysis::audit {
namespace {

constexpr std::uint64_t kFolds = 10;

double logit(double probability) {
  constexpr double kSurest = 1e-4;  // a judge that says 0 or 1 is not infinitely sure
  const double p = std::clamp(probability, kSurest, 1 - kSurest);
  return std::log(p / (1 - p));
}

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

/// Loss of the logistic curve, with targets instead of 0 and 1.
struct LogisticFit {
  std::vector<double> x, target, weight;

  double loss(double slope, double offset) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double z = slope * x[i] + offset;
      // -t log(s) - (1 - t) log(1 - s), without overflow
      sum += weight[i] * (std::max(z, 0.0) - target[i] * z + std::log1p(std::exp(-std::abs(z))));
    }
    return sum;
  }
};

}  // namespace

CalibrationMethod choose_method(std::span<const CalibrationPoint> points) {
  const auto evidence = static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [](const CalibrationPoint& point) { return point.evidence; }));
  const auto rarer = std::min(evidence, points.size() - evidence);
  return points.size() >= kFewestForIsotonic && rarer >= kFewestOfEachForIsotonic ? CalibrationMethod::kIsotonic
                                                                                  : CalibrationMethod::kPlatt;
}

Calibration::Calibration(std::span<const CalibrationPoint> points, CalibrationMethod method) : method_(method) {
  lowest_ = 1 / (2 * static_cast<double>(points.size()) + 2);
  highest_ = 1 - lowest_;
  method == CalibrationMethod::kPlatt ? fit_platt(points) : fit_isotonic(points);
}

void Calibration::fit_platt(std::span<const CalibrationPoint> points) {
  double total = 0, evidence = 0;
  for (const auto& point : points) {
    total += point.weight;
    evidence += point.evidence ? point.weight : 0;
  }
  // The weights are made to add up to the number of points, since they say nothing new about how many there are.
  const double scale = static_cast<double>(points.size()) / total;
  const double yes = evidence * scale, no = (total - evidence) * scale;
  const double yes_target = (yes + 1) / (yes + 2), no_target = 1 / (no + 2);
  LogisticFit fit;
  for (const auto& point : points) {
    fit.x.push_back(logit(point.probability));
    fit.target.push_back(point.evidence ? yes_target : no_target);
    fit.weight.push_back(point.weight * scale);
  }
  slope_ = 0;
  offset_ = std::log((yes + 1) / (no + 1));
  constexpr int kMostSteps = 100;
  constexpr double kRidge = 1e-9, kSmallest = 1e-10;
  double loss = fit.loss(slope_, offset_);
  for (int step = 0; step < kMostSteps; ++step) {
    double gradient_slope = 0, gradient_offset = 0, ss = kRidge, so = 0, oo = kRidge;
    for (std::size_t i = 0; i < fit.x.size(); ++i) {
      const double s = logistic(slope_ * fit.x[i] + offset_), error = fit.weight[i] * (s - fit.target[i]);
      const double curvature = fit.weight[i] * s * (1 - s);
      gradient_slope += error * fit.x[i];
      gradient_offset += error;
      ss += curvature * fit.x[i] * fit.x[i];
      so += curvature * fit.x[i];
      oo += curvature;
    }
    const double determinant = ss * oo - so * so;
    const double slope_step = (oo * gradient_slope - so * gradient_offset) / determinant;
    const double offset_step = (ss * gradient_offset - so * gradient_slope) / determinant;
    double length = 1, next = loss;
    for (; length > kSmallest; length /= 2) {
      next = fit.loss(slope_ - length * slope_step, offset_ - length * offset_step);
      if (next < loss) break;
    }
    if (!(next < loss)) break;
    slope_ -= length * slope_step;
    offset_ -= length * offset_step;
    const double gain = loss - next;
    loss = next;
    if (gain < kSmallest) break;
  }
}

void Calibration::fit_isotonic(std::span<const CalibrationPoint> points) {
  struct Block {
    double weight = 0, evidence = 0;
    double first = 0, last = 0;  ///< probabilities
    double share() const { return evidence / weight; }
  };
  std::vector<CalibrationPoint> sorted(points.begin(), points.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.probability < b.probability; });
  std::vector<Block> blocks;
  for (const auto& point : sorted) {
    const double evidence = point.evidence ? point.weight : 0;
    if (!blocks.empty() && blocks.back().last == point.probability && blocks.back().first == point.probability) {
      blocks.back().weight += point.weight;
      blocks.back().evidence += evidence;
    } else {
      blocks.push_back({point.weight, evidence, point.probability, point.probability});
    }
  }
  std::vector<Block> pooled;
  for (const auto& block : blocks) {
    pooled.push_back(block);
    while (pooled.size() > 1 && pooled[pooled.size() - 2].share() >= pooled.back().share()) {
      auto& before = pooled[pooled.size() - 2];
      before.weight += pooled.back().weight;
      before.evidence += pooled.back().evidence;
      before.last = pooled.back().last;
      pooled.pop_back();
    }
  }
  for (const auto& block : pooled) {
    for (const double at : {block.first, block.last}) {
      if (!from_.empty() && from_.back() == at) continue;
      from_.push_back(at);
      to_.push_back(block.share());
    }
  }
}

double Calibration::operator()(double probability) const {
  double calibrated = 0;
  if (method_ == CalibrationMethod::kPlatt) {
    calibrated = logistic(slope_ * logit(probability) + offset_);
  } else {
    const auto above = std::lower_bound(from_.begin(), from_.end(), probability);
    const auto at = static_cast<std::size_t>(above - from_.begin());
    if (at == from_.size()) {
      calibrated = to_.back();
    } else if (at == 0 || from_[at] == probability) {
      calibrated = to_[at];
    } else {
      const double along = (probability - from_[at - 1]) / (from_[at] - from_[at - 1]);
      calibrated = to_[at - 1] + along * (to_[at] - to_[at - 1]);
    }
  }
  return std::clamp(calibrated, lowest_, highest_);
}

CalibrationErrors errors_of(std::span<const CalibrationPoint> points, int bins) {
  struct Bin {
    double weight = 0, probability = 0, evidence = 0;
  };
  std::vector<Bin> of_bins(static_cast<std::size_t>(bins));
  CalibrationErrors errors;
  double total = 0;
  for (const auto& point : points) {
    const double truth = point.evidence ? 1 : 0, away = point.probability - truth;
    errors.brier += point.weight * away * away;
    total += point.weight;
    auto& bin = of_bins[static_cast<std::size_t>(bin_of(point.probability, bins))];
    bin.weight += point.weight;
    bin.probability += point.weight * point.probability;
    bin.evidence += point.weight * truth;
  }
  for (const auto& bin : of_bins) errors.calibration += std::abs(bin.probability - bin.evidence);
  errors.brier /= total;
  errors.calibration /= total;
  return errors;
}

CalibrationErrors cross_validated_errors(std::span<const CalibrationPoint> points, CalibrationMethod method, int bins) {
  std::map<std::uint64_t, std::uint64_t> dealt;  // each topic, in the order of its number, to the folds in turn
  for (const auto& point : points) dealt[point.fold];
  std::uint64_t next = 0;
  for (auto& [topic, fold] : dealt) fold = next++ % kFolds;
  std::vector<CalibrationPoint> calibrated;
  for (std::uint64_t fold = 0; fold < kFolds; ++fold) {
    std::vector<CalibrationPoint> others, held_out;
    for (const auto& point : points) (dealt.at(point.fold) == fold ? held_out : others).push_back(point);
    if (held_out.empty()) continue;
    const Calibration calibration(others.empty() ? points : std::span<const CalibrationPoint>(others), method);
    for (auto point : held_out) {
      point.probability = calibration(point.probability);
      calibrated.push_back(point);
    }
  }
  return errors_of(calibrated, bins);
}

}  // namespace touchstone::analysis::audit
