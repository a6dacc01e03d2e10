#include "analysis/studies/coverage/coverage_study.hpp"

namespace touchstone::analysis::studies::coverage {
namespace {

StudyOutput run_coverage(StudyContext& context) {
  const auto& shared = context.shared();
  const auto runs = read_judged_runs(shared, 2);
  StudyOutput output;
  output.study = "coverage";
  output.facts = input_facts(runs, shared);
  return output;
}

}  // namespace

Study coverage_study() {
  return {"coverage", "How much of the evidence pools of systems find", "topics", nullptr, run_coverage};
}

}  // namespace touchstone::analysis::studies::coverage
