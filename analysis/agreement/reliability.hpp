#pragma once

#include "analysis/significance/anova.hpp"
#include "analysis/significance/score_matrix.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// How far a collection's topics are enough to tell its systems apart.
namespace touchstone::analysis {

/// Cronbach's alpha with topics as items: how consistently topics order the systems. Equal to E rho^2 at the number of
/// topics at hand. NaN when all systems have the same mean and there is no noise.
/// Source: D. Bodoff, P. Li, "Test theory for assessing IR test collections", SIGIR 2007.
double cronbach_alpha(const ScoreMatrix& scores);
double cronbach_alpha(const TwoWayAnova& anova);

/// Generalisability study of systems crossed with topics. Variance components are those of the random-effects ANOVA;
/// a negative estimate is set to 0. Source: R. L. Brennan, "Generalizability Theory", 2001.
struct GStudy {
  std::size_t systems = 0, topics = 0;
  TwoWayAnova anova;
  double variance_systems = 0, variance_topics = 0, variance_interaction = 0;  ///< the interaction holds the error too
};

/// \param drop  systems with a mean below this quantile of the means are left out first, as gt4ireval does; at least 0,
///              less than 1
/// Throws ConfigError when fewer than two systems or topics are left.
GStudy g_study(const ScoreMatrix& scores, double drop = 0);

/// A coefficient with its interval.
struct Estimate {
  double expected = 0, low = 0, high = 0;
};

/// Reliability with another number of topics: E rho^2 of relative and Phi of absolute scores.
/// Source of the intervals: L. S. Feldt, Psychometrika 1965 (E rho^2); C. Arteaga, S. Jeyaratnam, G. A. Franklin,
/// Communications in Statistics 1982 (Phi); as J. Urbano, M. Marrero, D. Martin, SIGIR 2013, apply them.
struct DStudy {
  double topics = 0;
  Estimate e_rho_squared, phi;
};
DStudy d_study(const GStudy& study, double topics, double level = 0.95);

/// Topics needed until E rho^2 and Phi reach `target`, rounded up; `low` and `high` are for the interval's better and
/// worse bound. Infinite where no number of topics is enough.
struct TopicsNeeded {
  double target = 0;
  Estimate e_rho_squared, phi;
};
TopicsNeeded topics_needed(const GStudy& study, double target, double level = 0.95);

}  // namespace touchstone::analysis
