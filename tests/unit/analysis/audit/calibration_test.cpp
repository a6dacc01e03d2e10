#include "analysis/audit/calibration.hpp"

#include "analysis/statistics/random.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace touchstone::analysis::audit {
namespace {

std::vector<CalibrationPoint> points_of(std::initializer_list<std::pair<double, bool>> pairs) {
  std::vector<CalibrationPoint> points;
  for (const auto& [probability, evidence] : pairs) points.push_back({probability, evidence, 1, points.size()});
  return points;
}

/// Answers on a judge that says p where the truth is p squared.
std::vector<CalibrationPoint> overconfident(std::size_t count) {
  statistics::Random random(3);
  std::vector<CalibrationPoint> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    points.push_back({p, random.below(1'000'000) < p * p * 1e6, 1, i});
  }
  return points;
}

TEST(Calibration, ByStepsPoolsWhatDoesNotAscend) {
  // 0.2: no; 0.4: yes and 0.6: no become one step of 1/2; 0.8: yes.
  const auto points = points_of({{0.2, false}, {0.4, true}, {0.6, false}, {0.8, true}});
  const Calibration calibration(points, CalibrationMethod::kIsotonic);
  EXPECT_DOUBLE_EQ(calibration(0.4), 0.5);
  EXPECT_DOUBLE_EQ(calibration(0.5), 0.5);
  EXPECT_DOUBLE_EQ(calibration(0.6), 0.5);
  EXPECT_DOUBLE_EQ(calibration(0.3), 0.25);  // on the line from (0.2, 0) to (0.4, 0.5)
}

TEST(Calibration, NeverGivesZeroOrOne) {
  const auto points = points_of({{0.2, false}, {0.4, true}, {0.6, false}, {0.8, true}});
  for (const auto method : {CalibrationMethod::kIsotonic, CalibrationMethod::kPlatt}) {
    const Calibration calibration(points, method);
    EXPECT_GE(calibration(0), 0.1);  // 1 / (2 * 4 + 2)
    EXPECT_LE(calibration(1), 0.9);
  }
}

TEST(Calibration, CountsAHeavyPointAsOftenAsItsWeight) {
  auto points = points_of({{0.5, true}, {0.5, false}});
  points[0].weight = 3;
  EXPECT_DOUBLE_EQ(Calibration(points, CalibrationMethod::kIsotonic)(0.5), 0.75);
}

TEST(Calibration, FollowsATruthThatIsNotWhatTheJudgeSays) {
  const auto points = overconfident(4000);
  for (const auto method : {CalibrationMethod::kIsotonic, CalibrationMethod::kPlatt}) {
    const Calibration calibration(points, method);
    for (const double p : {0.2, 0.5, 0.7, 0.9}) EXPECT_NEAR(calibration(p), p * p, 0.08);
    EXPECT_LT(cross_validated_errors(points, method, 5).calibration, errors_of(points, 5).calibration / 2);
    EXPECT_LT(cross_validated_errors(points, method, 5).brier, errors_of(points, 5).brier);
  }
}

TEST(Calibration, ByACurveDoesNotBreakOnAnswersOfOneKind) {
  const auto points = points_of({{0.9, true}, {0.95, true}, {1, true}, {0, true}});
  const Calibration calibration(points, CalibrationMethod::kPlatt);
  for (const double p : {0.0, 0.5, 1.0}) {
    EXPECT_GT(calibration(p), 0.5);
    EXPECT_LT(calibration(p), 1);
  }
}

TEST(Calibration, TakesStepsOnlyWithManyAnswersOfBothKinds) {
  EXPECT_EQ(choose_method(overconfident(100)), CalibrationMethod::kPlatt);
  EXPECT_EQ(choose_method(overconfident(400)), CalibrationMethod::kIsotonic);
  std::vector<CalibrationPoint> one_kind(500, {0.9, true, 1, 0});
  EXPECT_EQ(choose_method(one_kind), CalibrationMethod::kPlatt);
}

TEST(CalibrationErrors, AreWeightedMeans) {
  std::vector<CalibrationPoint> points = {{0.9, true, 1, 0}, {0.9, false, 1, 1}, {0.1, false, 2, 2}};
  const auto errors = errors_of(points, 5);
  EXPECT_NEAR(errors.brier, (0.01 + 0.81 + 2 * 0.01) / 4, 1e-12);
  EXPECT_NEAR(errors.calibration, (std::abs(1.8 - 1) + 0.2) / 4, 1e-12);
}

TEST(CalibrationErrors, OfOneTopicAreThoseOfAFitToItself) {
  std::vector<CalibrationPoint> points = {{0.9, true, 1, 7}, {0.8, false, 1, 7}, {0.1, false, 2, 7}};
  EXPECT_GT(cross_validated_errors(points, CalibrationMethod::kPlatt, 5).brier, 0);
}

}  // namespace
}  // namespace touchstone::analysis::audit
