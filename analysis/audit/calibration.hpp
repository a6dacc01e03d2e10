#pragma once

#include "common/options.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Making the judge's probabilities mean what they say, by what people answered.
namespace touchstone {
namespace analysis::audit {

/// A decision with a probability that people have answered.
struct CalibrationPoint {
  double probability = 0;  ///< of the judge
  bool evidence = false;   ///< what people say
  double weight = 1;       ///< decisions of the collection that it represents: N / n of its stratum
  std::uint64_t fold = 0;  ///< a number of the topic: cross validation holds a topic out as a whole
};

enum class CalibrationMethod : std::uint8_t {
  kPlatt,    ///< a logistic curve of the logit of the probability: two numbers, for few answers
  kIsotonic  ///< the best ascending steps, joined by lines: follows any shape, and needs many answers
};

/// Fewest answers, and fewest of these of either kind, with which choose_method() takes isotonic regression.
inline constexpr std::size_t kFewestForIsotonic = 200, kFewestOfEachForIsotonic = 40;

CalibrationMethod choose_method(std::span<const CalibrationPoint> points);

/// A map from the judge's probabilities to calibrated ones.
class Calibration {
 public:
  /// Fits the map to weighted points. Never gives 0 or 1: the bounds are 1 / (2 n + 2) and its complement for n points.
  /// Sources: J. C. Platt, "Probabilistic Outputs for Support Vector Machines", 1999, with his targets; H.-T. Lin,
  /// C.-J. Lin, R. C. Weng, "A note on Platt's probabilistic outputs", 2007. Isotonic regression by pool adjacent
  /// violators: B. Zadrozny, C. Elkan, "Transforming Classifier Scores into Accurate Multiclass Probability Estimates",
  /// KDD 2002. \pre at least one point
  Calibration(std::span<const CalibrationPoint> points, CalibrationMethod method);

  double operator()(double probability) const;

 private:
  void fit_platt(std::span<const CalibrationPoint> points);
  void fit_isotonic(std::span<const CalibrationPoint> points);

  CalibrationMethod method_;
  double slope_ = 1, offset_ = 0;    ///< of the logistic curve
  std::vector<double> from_, to_;    ///< corners of the steps
  double lowest_ = 0, highest_ = 1;  ///< bounds of what is given
};

/// How far probabilities are from what people say, over the whole collection: weighted by what each answer represents.
struct CalibrationErrors {
  double brier = 0;        ///< mean squared difference of the probability and 0 or 1
  double calibration = 0;  ///< expected calibration error: mean over ranges of |mean probability - share of evidence|
};

/// \param bins  equal ranges of the probability
CalibrationErrors errors_of(std::span<const CalibrationPoint> points, int bins);

/// The errors of calibrated probabilities by cross validation: topics are dealt to ten groups, and each group is
/// calibrated by the others. Points of a single topic calibrate themselves.
CalibrationErrors cross_validated_errors(std::span<const CalibrationPoint> points, CalibrationMethod method, int bins);

}  // namespace analysis::audit

template <>
struct Choices<analysis::audit::CalibrationMethod> {
  using Method = analysis::audit::CalibrationMethod;
  static constexpr Choice<Method> table[] = {{"platt", Method::kPlatt}, {"isotonic", Method::kIsotonic}};
};

}  // namespace touchstone
