#pragma once

#include "analysis/statistics/score_matrix.hpp"

namespace touchstone::analysis::significance {

/// Two-way analysis of variance of systems crossed with topics. Each cell has one score, so the residual is the
/// interaction together with the error.
struct TwoWayAnova {
  double mean_square_systems = 0, mean_square_topics = 0, mean_square_residual = 0;
  double df_systems = 0, df_topics = 0, df_residual = 0;
  double f_systems = 0, p_systems = 0;  ///< of the hypothesis that all systems are equal
};

/// \pre at least two systems and two topics. Pure and thread-safe; O(systems x topics).
TwoWayAnova two_way_anova(const statistics::ScoreMatrix& scores);

}  // namespace touchstone::analysis::significance
