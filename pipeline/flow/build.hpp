#pragma once

#include "common/stop.hpp"
#include "pipeline/flow/runner.hpp"

#include <span>
#include <string>

namespace touchstone::pipeline::flow {

/// A run as the commands ask for it.
struct Build {
  const StageGraph& graph;
  const Settings& settings;
  RunOptions run;
  std::vector<const StageInfo*> stages;  ///< to run, in the graph's order
  bool own_command = false;              ///< by the command of the one stage, not by `build`
};

/// What a run would do, for --dry-run: each stage with the reason, and what a stage that is next to run would take.
/// Changes nothing, and makes no work directory.
std::string dry_run_text(const Build& build, const StopFlag& stop);

/// Runs the stages and returns what there is to print: the results of those that no other
/// one needs. What cannot work fails before a
/// work directory is made. Throws as Runner does.
std::string run_build(const Build& build, const StopFlag& stop);

/// What there is to print of a build that is done.
std::string build_outcome(const Build& build, const StopFlag& stop);

/// Checks what a build is given, so that a failure leaves no incomplete work directory. Throws as `run_build` does.
void check_start(const Build& build);

/// After the run: the first stage of the build that is done and found no topic. Null if each that looks for topics
/// found one.
const StageInfo* stage_without_topics(const Build& build);

/// After the run: what a stage of the build reported. Empty if it is not done.
StageReport report_of(const Build& build, std::string_view stage);

}  // namespace touchstone::pipeline::flow
