#pragma once

#include "analysis/studies/adjudication/trials.hpp"

#include <cstdint>

namespace touchstone::analysis::studies::adjudication {

/// Means over the trials of a method with a budget; counts have fractions.
struct TrialMeans {
  AdjudicationMethod method{};
  std::size_t budget = 0, trials = 0;
  double judged = 0, relevant = 0;
  double tau = 0, tau_deviation = 0;  ///< the standard deviation over trials; 0 for one trial
  double tau_ap = 0;
  double precision = 0, recall = 0, bias = 0;  ///< of the trials that have a value; NaN if none has
  double aa = 0, ad = 0, ma_gold = 0, ma_collected = 0, md_gold = 0, md_collected = 0;
};
TrialMeans means_of(const MethodTrials& trials);

}  // namespace touchstone::analysis::studies::adjudication
