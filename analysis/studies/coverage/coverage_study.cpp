#include "analysis/studies/coverage/coverage_study.hpp"

#include "analysis/studies/coverage/coverage_numbers.hpp"
#include "analysis/studies/coverage/coverage_output.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace touchstone::analysis::studies::coverage {
namespace {

struct CoverageOptions {
  std::int64_t depth = 10, fit_depth = 20, target_systems = 100, target_depth = 100;
  std::string new_judgments, human_sample;

  static std::vector<Option<CoverageOptions>> options() {
    return {
        {"coverage.depth", &CoverageOptions::depth, between(1, 1e6), "Ranks of each system that go into the pools."},
        {"coverage.fit_depth", &CoverageOptions::fit_depth, between(2, 1e4),
         "Pool depths 1 to N that are extrapolated to the target depth."},
        {"coverage.target_systems", &CoverageOptions::target_systems, between(1, 1e5),
         "Number of systems to extrapolate to."},
        {"coverage.target_depth", &CoverageOptions::target_depth, between(1, 1e6), "Pool depth to extrapolate to."},
        {"coverage.new_judgments", &CoverageOptions::new_judgments,
         "Qrels of passages that had no label; new evidence is counted."},
        {"coverage.human_sample", &CoverageOptions::human_sample,
         "Lines of unjudged.tsv with a column grade, to estimate recall."},
    };
  }
};

CoveragePlan plan_of(const CoverageOptions& options, const StudyOptions& shared) {
  CoveragePlan plan;
  plan.min_grade = static_cast<int>(shared.min_grade);
  plan.depth = static_cast<std::uint32_t>(options.depth);
  plan.fit_depth = static_cast<std::uint32_t>(options.fit_depth);
  plan.target_systems = static_cast<std::uint32_t>(options.target_systems);
  plan.target_depth = static_cast<std::uint32_t>(options.target_depth);
  plan.seed = static_cast<std::uint64_t>(shared.seed);
  return plan;
}

StudyOutput run_coverage(StudyContext& context) {
  const auto& shared = context.shared();
  const auto& options = context.settings.get<CoverageOptions>();
  const auto plan = plan_of(options, shared);
  const auto runs = read_judged_runs(shared, 1, std::max({plan.depth, plan.fit_depth, plan.target_depth}));
  count_relevant(runs, plan.min_grade);
  std::optional<NewEvidence> added;
  if (!options.new_judgments.empty()) added = count_new_evidence(options.new_judgments, runs, plan.min_grade);
  std::optional<HumanSample> sample;
  if (!options.human_sample.empty()) sample = read_human_sample(options.human_sample, runs, plan.min_grade);
  StudyOutput output;
  output.study = "coverage";
  output.facts = input_facts(runs, shared);
  output.facts.emplace_back("depth of the pools", fmt::to_string(plan.depth));
  if (added) output.facts.emplace_back("new judgments", options.new_judgments);
  if (sample) output.facts.emplace_back("human sample", options.human_sample);
  add_coverage_output(output, coverage_numbers(runs, plan, added ? &*added : nullptr), plan, added, sample);
  return output;
}

}  // namespace

Study coverage_study() {
  return {"coverage", "How much of the evidence pools of systems find", "topics", &option_group<CoverageOptions>(),
          run_coverage};
}

}  // namespace touchstone::analysis::studies::coverage
