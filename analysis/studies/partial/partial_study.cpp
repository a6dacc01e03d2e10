#include "analysis/studies/partial/partial_study.hpp"

namespace touchstone::analysis::studies::partial {
namespace {

StudyOutput run_partial(StudyContext& context) {
  const auto& shared = context.shared();
  const auto runs = read_judged_runs(shared, 2);
  StudyOutput output;
  output.study = "partial";
  output.facts = input_facts(runs, shared);
  return output;
}

}  // namespace

Study partial_study() {
  return {"partial", "What a ranking by partial labels would be worth", "selections", nullptr, run_partial};
}

}  // namespace touchstone::analysis::studies::partial
