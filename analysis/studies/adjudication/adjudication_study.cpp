#include "analysis/studies/adjudication/adjudication_study.hpp"

#include "analysis/studies/adjudication/adjudication_output.hpp"
#include "common/error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace touchstone::analysis::studies::adjudication {
namespace {

/// The systems that contribute to the pool, and those that are compared.
struct Roles {
  std::vector<std::size_t> pooling;
  std::vector<std::string> compared;
};

Roles roles_of(const JudgedRuns& runs, const std::vector<std::string>& leave_out) {
  std::vector<bool> left_out(runs.systems().size());
  for (const auto& name : leave_out) left_out[runs.find_system(name)] = true;
  Roles roles;
  for (std::size_t system = 0; system < left_out.size(); ++system) {
    if (!left_out[system]) roles.pooling.push_back(system);
    if (left_out[system] || leave_out.empty()) roles.compared.push_back(runs.systems()[system]);
  }
  if (roles.pooling.empty()) {
    throw ConfigError("adjudication.leave_out names all systems; leave at least one of them in the pool");
  }
  if (roles.compared.size() < 2) {
    throw ConfigError("adjudication.leave_out names one system; name at least two, because they are compared");
  }
  return roles;
}

significance::CompareOptions compare_options(const StudyOptions& shared, const AdjudicationStudyOptions& own) {
  significance::CompareOptions options;
  options.test = significance::SignificanceTest::kTukeyHsd;
  options.permutations = static_cast<std::uint64_t>(own.permutations);
  options.seed = static_cast<std::uint64_t>(shared.seed);
  options.alpha = shared.alpha;
  return options;
}

MeasureResults study_measure(const StudyContext& context, const JudgedRuns& runs, const PooledTopics& pools,
                             const measures::LabelScorer& scorer, const Roles& roles) {
  const auto& own = context.settings.get<AdjudicationStudyOptions>();
  GoldView gold{scorer, roles.compared, score_systems(runs, scorer, pools.gold(), roles.compared), {}};
  gold.comparison = significance::compare_systems(gold.scores, compare_options(context.shared(), own));
  MeasureResults results{scorer.measure().name, gold.comparison.pairs.size(), gold.comparison.significant, {}};
  const TrialSetup setup{runs, pools, gold, own, static_cast<std::uint64_t>(context.shared().seed)};
  for (const auto method : own.methods) {
    auto trials = run_method(setup, method, budgets_of(own), context.parts, context.progress, context.stop);
    std::move(trials.begin(), trials.end(), std::back_inserter(results.methods));
  }
  return results;
}

StudyOutput run_adjudication(StudyContext& context) {
  const auto& own = context.settings.get<AdjudicationStudyOptions>();
  const auto budgets = budgets_of(own);
  if (own.methods.empty()) throw ConfigError("adjudication.methods is empty; name at least one method");
  const auto scorers = study_measures(context.shared(), "map");
  const auto runs = read_judged_runs(context.shared(), 2);
  for (const auto& scorer : scorers) scorer.check_highest_grade(runs.highest_grade());
  const auto min_grade = static_cast<int>(context.shared().min_grade);
  count_relevant(runs, min_grade);
  const auto roles = roles_of(runs, own.leave_out);
  const PooledTopics pools(runs, roles.pooling, static_cast<std::size_t>(own.pool_depth), min_grade);
  if (pools.relevant() == 0) {
    throw ConfigError(fmt::format("no document of grade {} or higher is in the pools of depth {}; raise --pool-depth",
                                  min_grade, own.pool_depth));
  }
  for (const auto method : own.methods)
    context.progress.total += scorers.size() * budgets.size() * trial_count(method, own);
  std::vector<MeasureResults> results;
  for (const auto& scorer : scorers) results.push_back(study_measure(context, runs, pools, scorer, roles));
  auto output = describe({pools.documents(), pools.relevant(), runs.topic_count(), roles.compared.size(),
                          static_cast<std::size_t>(own.pool_depth)},
                         std::move(results));
  output.facts = input_facts(runs, context.shared());
  output.facts.emplace_back("pool",
                            fmt::format("the first {} documents of {} systems that the qrels judge: {}, {} of "
                                        "them relevant",
                                        own.pool_depth, roles.pooling.size(), pools.documents(), pools.relevant()));
  if (!own.leave_out.empty())
    output.facts.emplace_back("compared systems", fmt::format("the {} outside of the pool", roles.compared.size()));
  output.facts.emplace_back(
      "test", fmt::format("randomised Tukey HSD, {} permutations, alpha {}", own.permutations, context.shared().alpha));
  return output;
}

}  // namespace

Study adjudication_study() {
  return {"adjudication", "What labels chosen by adjudication methods would say about systems", "trials",
          &option_group<AdjudicationStudyOptions>(), run_adjudication};
}

}  // namespace touchstone::analysis::studies::adjudication
