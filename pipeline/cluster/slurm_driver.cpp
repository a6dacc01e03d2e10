#include "pipeline/cluster/slurm_driver.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/cluster/job_commands.hpp"
#include "pipeline/cluster/job_runner.hpp"
#include "pipeline/cluster/job_script.hpp"
#include "pipeline/cluster/slurm_options.hpp"
#include "pipeline/flow/runner.hpp"
#include "pipeline/flow/work_files.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::pipeline::cluster {
namespace {

using flow::Build;
using flow::StageInfo;

/// Number of tasks that work ahead for a stage that is not cut; 0: it is one job. They run what tasks of shards run.
std::uint32_t tasks_ahead(const StageInfo& stage, const Settings& settings) {
  return stage.tasks_ahead == nullptr ? 0 : stage.tasks_ahead(settings);
}

class SlurmDriver {
 public:
  SlurmDriver(const Build& build, const std::filesystem::path& program, const StopFlag& stop)
      : build_(build),
        options_(build.settings.get<SlurmOptions>()),
        paths_{std::filesystem::absolute(build.run.work) / "cluster"},
        commands_(build, paths_),
        stop_(stop),
        jobs_(build.run.work, options_, program, stop) {}

  void run() {
    write_file_atomically(paths_.settings(), build_.settings.remembered());
    for (const auto* stage : build_.stages) run_stage(*stage);
    std::error_code ignored;  // what is left counts for the next build, and keeps it from nothing but spending more
    std::filesystem::remove_all(build_.run.work / kAskingFolder, ignored);
  }

 private:
  bool is_done(const StageInfo& stage) const {
    if (!storage::Store::exists(flow::WorkPaths{build_.run.work}.store())) return false;
    flow::Runner runner(build_.graph, build_.settings, build_.run, storage::Access::kReadOnly);
    const StageInfo* const chosen[] = {&stage};
    return !runner.plan(chosen).front().run;
  }

  std::uint32_t shards_of(const StageInfo& stage) const {
    if (!stage.is_cut) return tasks_ahead(stage, build_.settings);
    flow::Runner runner(build_.graph, build_.settings, build_.run, storage::Access::kReadOnly);
    return static_cast<std::uint32_t>(std::min<std::size_t>(build_.run.shards, runner.cuts_of(stage, stop_)));
  }

  std::vector<std::uint32_t> missing(const StageInfo& stage, std::uint32_t count) const {
    if (count == 0) return {};
    auto run = build_.run;
    run.shards = count;
    const flow::Runner runner(build_.graph, build_.settings, run, storage::Access::kReadOnly);
    std::vector<std::uint32_t> indexes;
    for (const auto& finding : runner.missing_shards(stage)) indexes.push_back(finding.shard.index);
    return indexes;
  }

  void run_stage(const StageInfo& stage) {
    if (is_done(stage)) {
      log_info("{}: done before, nothing changed", stage.name);
      return;
    }
    const auto count = shards_of(stage);
    // What was worked ahead for an earlier try, perhaps with less of a budget, is no reason to leave the tasks out.
    std::error_code ignored;
    if (!stage.is_cut) std::filesystem::remove_all(flow::WorkPaths{build_.run.work}.shards(stage.name), ignored);
    ClusterWork work{.name = std::string(stage.name),
                     .task_noun = stage.is_cut ? "shard" : "share",
                     .tasks = count,
                     .task = commands_.of_shard(stage, count, "{index}", options_.cpus),
                     .merge = commands_.of_merge(stage, count, options_.merge_cpus),
                     .task_needs = {options_.cpus, options_.memory_mb, options_.minutes},
                     .merge_needs = {options_.merge_cpus, options_.merge_memory_mb, options_.minutes},
                     .is_done = [&] { return is_done(stage); },
                     .missing = [&, count] { return missing(stage, count); }};
    jobs_.finish(std::move(work));
    log_info("{}: done", stage.name);
  }

  const Build& build_;
  const SlurmOptions& options_;
  const ClusterPaths paths_;
  const JobCommands commands_;
  const StopFlag& stop_;
  JobRunner jobs_;
};

}  // namespace

void run_on_slurm(const Build& build, const std::filesystem::path& program, const StopFlag& stop) {
  if (build.run.force || build.run.ask_again)
    throw ConfigError("--force and --retry-unjudged are not for --executor slurm; run the stage with --executor local");
  for (const auto& source : build.run.sources) {
    if (source.path == "-")
      throw ConfigError("jobs of Slurm cannot read a pipe; name a file on a disk that all nodes see");
  }
  SlurmDriver(build, program, stop).run();
}

std::string slurm_scripts(const Build& build, const std::filesystem::path& program) {
  const auto& options = build.settings.get<SlurmOptions>();
  const ClusterPaths paths{std::filesystem::absolute(build.run.work) / "cluster"};
  const JobCommands commands(build, paths);
  std::string text;
  const auto add = [&](const Job& job) {
    text += fmt::format("# sbatch {} {}.sh\n", fmt::join(sbatch_options(job, options, paths), " "), job.label);
    text += job_script(job, paths, program, std::filesystem::current_path()) + "\n";
  };
  for (const auto* stage : build.stages) {
    const auto name = std::string(stage->name);
    const auto count = stage->is_cut ? build.run.shards : tasks_ahead(*stage, build.settings);
    if (count > 0) {
      std::vector<std::uint32_t> all(count);
      for (std::uint32_t i = 0; i < count; ++i) all[i] = i;
      add({name,
           name,
           commands.of_shard(*stage, count, "{index}", options.cpus),
           all,
           {options.cpus, options.memory_mb, options.minutes},
           {},
           {}});
    }
    add({name,
         name + "-merge",
         commands.of_merge(*stage, count, options.merge_cpus),
         {},
         {options.merge_cpus, options.merge_memory_mb, options.minutes},
         {},
         {}});
  }
  return text;
}

}  // namespace touchstone::pipeline::cluster
