#include "analysis/studies/adjudication/trial_means.hpp"

#include <cmath>
#include <limits>

namespace touchstone::analysis::studies::adjudication {
namespace {

/// The mean of the values that are defined.
template <class Value>
double mean_of(const std::vector<Trial>& trials, const Value& value) {
  double sum = 0;
  std::size_t defined = 0;
  for (const auto& trial : trials) {
    const auto x = static_cast<double>(value(trial));
    if (std::isnan(x)) continue;
    sum += x;
    ++defined;
  }
  return defined > 0 ? sum / static_cast<double>(defined) : std::numeric_limits<double>::quiet_NaN();
}

double deviation_of_tau(const std::vector<Trial>& trials, double mean) {
  if (trials.size() < 2) return 0;
  double squares = 0;
  for (const auto& trial : trials) squares += (trial.tau - mean) * (trial.tau - mean);
  return std::sqrt(squares / static_cast<double>(trials.size() - 1));
}

}  // namespace

TrialMeans means_of(const MethodTrials& of) {
  const auto& trials = of.trials;
  TrialMeans means;
  means.method = of.method;
  means.budget = of.budget;
  means.trials = trials.size();
  means.judged = mean_of(trials, [](const Trial& t) { return t.judged; });
  means.relevant = mean_of(trials, [](const Trial& t) { return t.relevant; });
  means.tau = mean_of(trials, [](const Trial& t) { return t.tau; });
  means.tau_deviation = deviation_of_tau(trials, means.tau);
  means.tau_ap = mean_of(trials, [](const Trial& t) { return t.tau_ap; });
  means.precision = mean_of(trials, [](const Trial& t) { return t.decisions.precision(); });
  means.recall = mean_of(trials, [](const Trial& t) { return t.decisions.recall(); });
  means.bias = mean_of(trials, [](const Trial& t) { return t.decisions.publication_bias(); });
  means.aa = mean_of(trials, [](const Trial& t) { return t.decisions.active_agreements; });
  means.ad = mean_of(trials, [](const Trial& t) { return t.decisions.active_disagreements; });
  means.ma_gold = mean_of(trials, [](const Trial& t) { return t.decisions.mixed_agreements_reference; });
  means.ma_collected = mean_of(trials, [](const Trial& t) { return t.decisions.mixed_agreements_other; });
  means.md_gold = mean_of(trials, [](const Trial& t) { return t.decisions.mixed_disagreements_reference; });
  means.md_collected = mean_of(trials, [](const Trial& t) { return t.decisions.mixed_disagreements_other; });
  return means;
}

}  // namespace touchstone::analysis::studies::adjudication
