#pragma once

#include "analysis/significance/score_matrix.hpp"

namespace touchstone::analysis {

/// Two-way analysis of variance, systems crossed with topics, one score a cell, so that the residual is the
/// interaction and the error in one. Mean squares; NaN where there are too few systems or topics.
struct TwoWayAnova {
  double mean_square_systems = 0, mean_square_topics = 0, mean_square_residual = 0;
  double df_systems = 0, df_topics = 0, df_residual = 0;
  double f_systems = 0, p_systems = 0;  ///< are there any differences between systems?
};

/// \pre at least two systems and two topics. Pure; O(cells).
TwoWayAnova two_way_anova(const ScoreMatrix& scores);

}  // namespace touchstone::analysis
