#include "analysis/significance/anova.hpp"

#include "analysis/statistics/distributions.hpp"
#include "common/error.hpp"

#include <limits>
#include <numeric>

namespace touchstone::analysis::significance {

TwoWayAnova two_way_anova(const statistics::ScoreMatrix& scores) {
  const std::size_t systems = scores.systems.size(), topics = scores.topics.size();
  TS_CHECK(systems >= 2 && topics >= 2, "two-way ANOVA needs two systems and two topics");
  const auto system_means = scores.means();
  std::vector<double> topic_means(topics);
  for (std::size_t t = 0; t < topics; ++t) {
    for (std::size_t s = 0; s < systems; ++s) topic_means[t] += scores.at(s, t);
    topic_means[t] /= static_cast<double>(systems);
  }
  const double grand = std::accumulate(topic_means.begin(), topic_means.end(), 0.0) / static_cast<double>(topics);
  TwoWayAnova anova;
  anova.df_systems = static_cast<double>(systems - 1);
  anova.df_topics = static_cast<double>(topics - 1);
  anova.df_residual = anova.df_systems * anova.df_topics;
  const auto squares = [](const std::vector<double>& means, double centre) {
    double sum = 0;
    for (const double mean : means) sum += (mean - centre) * (mean - centre);
    return sum;
  };
  anova.mean_square_systems = static_cast<double>(topics) * squares(system_means, grand) / anova.df_systems;
  anova.mean_square_topics = static_cast<double>(systems) * squares(topic_means, grand) / anova.df_topics;
  double residual = 0;
  for (std::size_t s = 0; s < systems; ++s) {
    for (std::size_t t = 0; t < topics; ++t) {
      const double rest = scores.at(s, t) - system_means[s] - topic_means[t] + grand;
      residual += rest * rest;
    }
  }
  anova.mean_square_residual = residual / anova.df_residual;
  anova.f_systems = anova.mean_square_residual > 0  ? anova.mean_square_systems / anova.mean_square_residual
                    : anova.mean_square_systems > 0 ? std::numeric_limits<double>::infinity()
                                                    : 0;
  anova.p_systems = statistics::f_upper(anova.f_systems, anova.df_systems, anova.df_residual);
  return anova;
}

}  // namespace touchstone::analysis::significance
