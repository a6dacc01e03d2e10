#include "analysis/studies/adjudication/trials.hpp"

#include "analysis/agreement/judgment_comparison.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

namespace touchstone::analysis::studies::adjudication {
namespace {

std::vector<std::pair<std::size_t, double>> mixed_agreements(const significance::Comparison& gold,
                                                             const significance::Comparison& collected) {
  std::vector<std::size_t> rank(gold.ranking.size());
  for (std::size_t r = 0; r < rank.size(); ++r) rank[gold.ranking[r]] = r;
  std::vector<std::pair<std::size_t, double>> differences;
  for (const auto& pair : gold.pairs) {
    const double difference = collected.means[pair.first] - collected.means[pair.second];
    const bool one_significant = pair.significant != collected.of(pair.first, pair.second).significant;
    if (!one_significant || pair.difference * difference < 0) continue;
    differences.emplace_back(rank[pair.first], difference);
    differences.emplace_back(rank[pair.second], -difference);
  }
  return differences;
}

Trial try_method(const TrialSetup& setup, const methods::AdjudicationOptions& options, bool keeps_mixed) {
  const auto collected = setup.pools.collect(options);
  const auto scores = score_systems(setup.runs, setup.gold.scorer, collected.labels, setup.gold.systems);
  const auto compared = agreement::compare_judgments(setup.gold.scores, setup.gold.comparison, scores);
  Trial trial;
  trial.judged = collected.judged;
  trial.relevant = collected.relevant;
  trial.tau = agreement::kendall_tau_a(compared.pairs);
  trial.tau_ap = agreement::tau_ap_a(setup.gold.comparison.means, compared.other.means);
  trial.decisions = compared.decisions;
  if (keeps_mixed) trial.mixed = mixed_agreements(setup.gold.comparison, compared.other);
  return trial;
}

// A finished part is a line of numbers, divided by blanks.

std::string text_of(const Trial& trial) {
  const auto& d = trial.decisions;
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", trial.judged, trial.relevant, trial.tau, trial.tau_ap,
                  d.active_agreements, d.active_disagreements, d.mixed_agreements_reference, d.mixed_agreements_other,
                  d.mixed_disagreements_reference, d.mixed_disagreements_other, d.passive_agreements,
                  d.passive_disagreements, trial.mixed.size());
  for (const auto& [rank, difference] : trial.mixed) text += fmt::format(" {} {}", rank, difference);
  return text;
}

double read_number(std::istream& in) {
  std::string word;
  in >> word;
  try {
    return std::stod(word);  // reads "nan" too
  } catch (const std::logic_error&) {
    throw FormatError("a finished part of the study is damaged; delete the folder .parts and run again");
  }
}

Trial trial_of(const std::string& text) {
  std::istringstream in(text);
  const auto count = [&] { return static_cast<std::uint64_t>(read_number(in)); };
  Trial trial;
  trial.judged = count();
  trial.relevant = count();
  trial.tau = read_number(in);
  trial.tau_ap = read_number(in);
  auto& d = trial.decisions;
  for (auto* field : {&d.active_agreements, &d.active_disagreements, &d.mixed_agreements_reference,
                      &d.mixed_agreements_other, &d.mixed_disagreements_reference, &d.mixed_disagreements_other,
                      &d.passive_agreements, &d.passive_disagreements})
    *field = count();
  const auto differences = count();
  for (std::uint64_t i = 0; i < differences; ++i) {
    const auto rank = count();
    trial.mixed.emplace_back(rank, read_number(in));
  }
  return trial;
}

}  // namespace

std::size_t trial_count(AdjudicationMethod method, const AdjudicationStudyOptions& options) {
  return methods::is_stochastic(method) ? static_cast<std::size_t>(options.seeds) : 1;
}

statistics::ScoreMatrix score_systems(const JudgedRuns& runs, const measures::LabelScorer& scorer,
                                      const std::vector<measures::TopicLabels>& labels,
                                      const std::vector<std::string>& systems) {
  return statistics::select_systems(runs.score(scorer, labels), systems);
}

std::vector<MethodTrials> run_method(const TrialSetup& setup, AdjudicationMethod method,
                                     const std::vector<std::size_t>& budgets, FinishedParts& parts,
                                     ProgressCounters& progress, const StopFlag& stop) {
  const auto trials = trial_count(method, setup.options);
  std::vector<MethodTrials> results;
  for (const auto budget : budgets) results.push_back({method, budget, std::vector<Trial>(trials)});
  tbb::parallel_for(std::size_t{0}, budgets.size() * trials, [&](std::size_t i) {
    stop.check();
    auto& result = results[i / trials];
    const auto seed = i % trials;
    const methods::AdjudicationOptions options{.method = method,
                                               .budget = result.budget,
                                               .rate = setup.options.rate,
                                               .hedge_beta = setup.options.hedge_beta,
                                               .seed = setup.seed + seed};
    const auto name =
        fmt::format("{}-{}-{}-{}", setup.gold.scorer.measure().name, choice_text(method), result.budget, seed);
    const bool keeps_mixed = result.budget == budgets.front();
    result.trials[seed] = trial_of(parts.part(name, [&] { return text_of(try_method(setup, options, keeps_mixed)); }));
    ++progress.done;
  });
  return results;
}

}  // namespace touchstone::analysis::studies::adjudication
