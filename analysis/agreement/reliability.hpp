#pragma once

#include "analysis/significance/significance.hpp"
#include "analysis/statistics/score_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// How reliably a collection's topics tell its systems apart. All functions are pure and thread-safe.
namespace touchstone::analysis::agreement {

/// Cronbach's alpha with topics as items: how consistently the topics order the systems. Equals E rho^2 at the present
/// number of topics. NaN if all systems have the same mean and there is no noise.
/// Source: D. Bodoff, P. Li, "Test theory for assessing IR test collections", SIGIR 2007.
double cronbach_alpha(const statistics::ScoreMatrix& scores);
double cronbach_alpha(const significance::TwoWayAnova& anova);

/// Generalizability study of systems crossed with topics. The variance components are those of the random-effects
/// ANOVA; negative estimates become 0. Source: R. L. Brennan, "Generalizability Theory", 2001.
struct GStudy {
  std::size_t systems = 0, topics = 0;
  significance::TwoWayAnova anova;
  double variance_systems = 0, variance_topics = 0, variance_interaction = 0;  ///< interaction includes error
};

/// \param drop  quantile of the means, 0 <= drop < 1; systems with a lower mean are left out, as gt4ireval does
/// Throws ConfigError if fewer than two systems or topics are left.
GStudy g_study(const statistics::ScoreMatrix& scores, double drop = 0);

/// A coefficient with its interval.
struct Estimate {
  double expected = 0, low = 0, high = 0;
};

/// Decision study: reliability with another number of topics. E rho^2 is for relative scores, Phi for absolute scores.
/// Source of the intervals: L. S. Feldt, Psychometrika 1965 (E rho^2); C. Arteaga, S. Jeyaratnam, G. A. Franklin,
/// Communications in Statistics 1982 (Phi); applied as by J. Urbano, M. Marrero, D. Martin, SIGIR 2013.
struct DStudy {
  double topics = 0;
  Estimate e_rho_squared, phi;
};
DStudy d_study(const GStudy& study, double topics, double level = 0.95);

/// Number of topics, rounded up, with which E rho^2 and Phi reach `target`. `low` and `high` are the numbers for the
/// upper and the lower bound of the coefficient. Infinite where no number of topics is enough.
struct TopicsNeeded {
  double target = 0;
  Estimate e_rho_squared, phi;
};
TopicsNeeded topics_needed(const GStudy& study, double target, double level = 0.95);

struct ReliabilityOptions {
  double drop = 0;                       ///< as g_study()
  std::vector<double> topics;            ///< numbers of topics of the D-studies, besides the present number
  std::vector<double> targets = {0.95};  ///< coefficients to reach
  double level = 0.95;                   ///< confidence level of the intervals
};

/// Everything that options ask for, in their order.
struct Reliability {
  double drop = 0;  ///< as g_study()
  GStudy study;
  double cronbach_alpha = 0;
  double level = 0;
  std::vector<DStudy> d_studies;  ///< the first with the present number of topics
  std::vector<TopicsNeeded> topics_needed;
};
/// Throws as g_study().
Reliability measure_reliability(const statistics::ScoreMatrix& scores, const ReliabilityOptions& options);

}  // namespace touchstone::analysis::agreement
