#include "analysis/agreement/reliability.hpp"

#include "analysis/statistics/distributions.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace touchstone::analysis::agreement {
namespace {

/// `value`, at least 0. NaN stays NaN.
double at_least_zero(double value) {
  return value < 0 ? 0 : value;
}

/// Signal-to-noise ratio r of one topic: the coefficient at n topics is n r / (1 + n r).
struct SignalToNoise {
  Estimate relative, absolute;
};

SignalToNoise signal_to_noise(const GStudy& study, double level) {
  const auto& anova = study.anova;
  const double systems = anova.mean_square_systems, topics = anova.mean_square_topics,
               residual = anova.mean_square_residual;
  const auto n = static_cast<double>(study.topics);
  SignalToNoise result;
  result.relative.expected = study.variance_systems / study.variance_interaction;
  result.absolute.expected = study.variance_systems / (study.variance_topics + study.variance_interaction);
  const auto bounds = [&](double p, double& relative, double& absolute) {
    const double f_error = statistics::f_quantile(p, anova.df_systems, anova.df_residual);
    const double f_topics = statistics::f_quantile(p, anova.df_systems, anova.df_topics);
    const double f_limit = statistics::f_quantile(p, anova.df_systems, std::numeric_limits<double>::infinity());
    relative = at_least_zero((systems / (residual * f_error) - 1) / n);
    const double above =
        systems * systems - f_limit * systems * residual + (f_limit - f_error) * f_error * residual * residual;
    const double below = anova.df_systems * f_limit * systems * residual + f_topics * systems * topics;
    absolute = at_least_zero(above / below * static_cast<double>(study.systems) / n);
  };
  bounds((1 + level) / 2, result.relative.low, result.absolute.low);
  bounds((1 - level) / 2, result.relative.high, result.absolute.high);
  return result;
}

double coefficient(double ratio, double topics) {
  return std::isinf(ratio) ? 1 : topics * ratio / (1 + topics * ratio);
}

/// R's default quantile (type 7): linear interpolation at rank `share` * (n - 1), from 0. \pre not empty
double quantile(std::vector<double> values, double share) {
  constexpr double kRankRounding = 1e-12;  // keeps .1 of 41 values at the fourth
  std::sort(values.begin(), values.end());
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(rank + kRankRounding);
  const double part = std::max(0.0, rank - static_cast<double>(below));
  if (below + 1 == values.size() || part < kRankRounding) return values[below];
  return values[below] + part * (values[below + 1] - values[below]);
}

Estimate coefficients(const Estimate& ratio, double topics) {
  return {coefficient(ratio.expected, topics), coefficient(ratio.low, topics), coefficient(ratio.high, topics)};
}

Estimate needed(const Estimate& ratio, double target) {
  const auto topics = [&](double r) { return std::ceil(target / (1 - target) / r); };
  return {topics(ratio.expected), topics(ratio.high), topics(ratio.low)};
}

}  // namespace

double cronbach_alpha(const statistics::ScoreMatrix& scores) {
  return cronbach_alpha(significance::two_way_anova(scores));
}

double cronbach_alpha(const significance::TwoWayAnova& anova) {
  return anova.mean_square_systems == 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : 1 - anova.mean_square_residual / anova.mean_square_systems;
}

GStudy g_study(const statistics::ScoreMatrix& scores, double drop) {
  if (!(drop >= 0 && drop < 1)) throw ConfigError("--drop must be at least 0 and less than 1");
  const auto means = scores.means();
  const double lowest = means.empty() ? 0 : quantile(means, drop);
  std::vector<std::string> kept;
  for (std::size_t system = 0; system < means.size(); ++system)
    if (means[system] >= lowest) kept.push_back(scores.systems[system]);
  if (kept.size() < 2 || scores.topics.size() < 2)
    throw ConfigError(fmt::format("reliability needs two systems and two topics or more; there are {} and {}",
                                  kept.size(), scores.topics.size()));
  GStudy study;
  study.systems = kept.size();
  study.topics = scores.topics.size();
  study.anova = significance::two_way_anova(statistics::select_systems(scores, kept));
  const auto component = [&](double mean_square, std::size_t others) {
    return std::max(0.0, (mean_square - study.anova.mean_square_residual) / static_cast<double>(others));
  };
  study.variance_systems = component(study.anova.mean_square_systems, study.topics);
  study.variance_topics = component(study.anova.mean_square_topics, study.systems);
  study.variance_interaction = study.anova.mean_square_residual;
  return study;
}

DStudy d_study(const GStudy& study, double topics, double level) {
  const auto ratios = signal_to_noise(study, level);
  return {topics, coefficients(ratios.relative, topics), coefficients(ratios.absolute, topics)};
}

TopicsNeeded topics_needed(const GStudy& study, double target, double level) {
  const auto ratios = signal_to_noise(study, level);
  return {target, needed(ratios.relative, target), needed(ratios.absolute, target)};
}

Reliability measure_reliability(const statistics::ScoreMatrix& scores, const ReliabilityOptions& options) {
  Reliability result;
  result.drop = options.drop;
  result.study = g_study(scores, options.drop);
  result.cronbach_alpha = cronbach_alpha(result.study.anova);
  result.level = options.level;
  result.d_studies.push_back(d_study(result.study, static_cast<double>(result.study.topics), options.level));
  for (const double topics : options.topics) result.d_studies.push_back(d_study(result.study, topics, options.level));
  for (const double target : options.targets)
    result.topics_needed.push_back(topics_needed(result.study, target, options.level));
  return result;
}

}  // namespace touchstone::analysis::agreement
