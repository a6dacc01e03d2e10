#include "pipeline/cluster/slurm_driver.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/cluster/job_commands.hpp"
#include "pipeline/cluster/job_runner.hpp"
#include "pipeline/cluster/job_script.hpp"
#include "pipeline/cluster/slurm_options.hpp"
#include "pipeline/cluster/stage_resources.hpp"
#include "pipeline/flow/runner.hpp"
#include "pipeline/flow/shard_manifest.hpp"
#include "pipeline/flow/work_files.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::cluster {
namespace {

using flow::Build;
using flow::StageInfo;

constexpr std::int64_t kMinutesOfServers = std::int64_t{24} * 60;

/// Whether tasks can share a stage. Of the files that a build reads, each is read by one task.
bool can_share(const Build& build, const StageInfo& stage) {
  return stage.is_cut && build.run.shards > 1 && (!stage.prepares || build.run.sources.size() > 1);
}

/// Number of tasks that map shards of a stage, or that work ahead for one that is not cut; 0: it is one job. Of the
/// files that a build reads, each is read by one task.
std::uint32_t most_tasks(const Build& build, const StageInfo& stage) {
  if (!stage.is_cut) return stage.tasks_ahead == nullptr ? 0 : stage.tasks_ahead(build.settings);
  if (!can_share(build, stage)) return 0;
  const auto files = static_cast<std::uint32_t>(build.run.sources.size());
  return stage.prepares ? std::min(build.run.shards, files) : build.run.shards;
}

class SlurmDriver {
 public:
  SlurmDriver(const Build& build, const std::filesystem::path& program, const StopFlag& stop)
      : build_(build),
        options_(build.settings.get<SlurmOptions>()),
        paths_{std::filesystem::absolute(build.run.work) / "cluster"},
        commands_(build, paths_),
        program_(program),
        stop_(stop),
        jobs_(build.run.work, options_, program, stop) {}

  void run() {
    write_file_atomically(paths_.settings(), build_.settings.remembered());
    forecast_ = forecast_for_jobs(build_, program_, paths_, stop_);
    for (const auto* stage : build_.stages) {
      run_stage(*stage);
      build_.graph.check_topics(*stage, flow::report_of(build_, stage->name), build_.stages);
    }
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

  StageResources resources_of(const StageInfo& stage, std::uint32_t tasks) const {
    auto needs = stage_resources(options_, stage.name, tasks, forecast_ ? &*forecast_ : nullptr);
    // How long servers take to answer is not told by what the program itself needs.
    if (stage.can_ask_again && forecast_ && forecast_->requests > 0 && options_.of_stage(stage.name).minutes == 0)
      needs.task.minutes = needs.merge.minutes = kMinutesOfServers;
    return needs;
  }

  /// Lets a job fill what the tasks of a stage read.
  void prepare(const StageInfo& stage) {
    const auto is_prepared = [&] {
      if (!storage::Store::exists(flow::WorkPaths{build_.run.work}.store())) return false;
      return flow::Runner(build_.graph, build_.settings, build_.run, storage::Access::kReadOnly).is_prepared(stage);
    };
    const auto needs = resources_of(stage, 0);
    ClusterWork work;
    work.name = std::string(stage.name);
    work.merge = commands_.of_prepare(stage, needs.merge.cpus);
    work.merge_needs = needs.merge;
    work.is_done = is_prepared;
    jobs_.finish(std::move(work));
  }

  /// As many, or as few as there are cuts of a stage.
  std::uint32_t shards_of(const StageInfo& stage, std::uint32_t most) const {
    if (most == 0 || !stage.is_cut) return most;
    flow::Runner runner(build_.graph, build_.settings, build_.run, storage::Access::kReadOnly);
    return static_cast<std::uint32_t>(std::min<std::size_t>(most, runner.cuts_of(stage, stop_)));
  }

  /// Says of each shard that is there and cannot be taken why, once.
  std::vector<std::uint32_t> missing(const StageInfo& stage, std::uint32_t count) {
    if (count == 0) return {};
    auto run = build_.run;
    run.shards = count;
    const flow::Runner runner(build_.graph, build_.settings, run, storage::Access::kReadOnly);
    std::vector<std::uint32_t> indexes;
    for (const auto& finding : runner.missing_shards(stage)) {
      indexes.push_back(finding.shard.index);
      const auto sentence = fmt::format("{}: {}", stage.name, flow::shard_sentence(finding));
      if (finding.state != flow::ShardState::kMissing && said_.insert(sentence).second)
        log_line(LogLevel::kWarn, sentence);
    }
    return indexes;
  }

  void run_stage(const StageInfo& stage) {
    if (is_done(stage)) {
      log_info("{}: done before, nothing changed", stage.name);
      return;
    }
    if (stage.prepares && can_share(build_, stage)) prepare(stage);
    // What was worked ahead for an earlier try, perhaps with less of a budget, is no reason to leave the tasks out.
    std::error_code ignored;
    if (!stage.is_cut) std::filesystem::remove_all(flow::WorkPaths{build_.run.work}.shards(stage.name), ignored);
    for (auto count = shards_of(stage, most_tasks(build_, stage));;) {
      try {
        jobs_.finish(work_of(stage, count));
        break;
      } catch (const OutOfTime& error) {
        const auto more = stage.prepares ? count : shards_of(stage, 2 * count);
        if (more == count) throw;
        log_line(LogLevel::kWarn, fmt::format("{}; now it is cut into {}", error.what(), more));
        count = more;
      }
    }
    log_info("{}: done", stage.name);
  }

  /// \param count  of the shards or shares; 0: it is one job
  ClusterWork work_of(const StageInfo& stage, std::uint32_t count) {
    const auto needs = resources_of(stage, count);
    return {.name = std::string(stage.name),
            .task_noun = stage.is_cut ? "shard" : "share",
            .tasks = count,
            .task = commands_.of_shard(stage, count, "{index}", needs.task.cpus),
            .merge = commands_.of_merge(stage, count, needs.merge.cpus),
            .task_needs = needs.task,
            .merge_needs = needs.merge,
            .is_done = [this, &stage] { return is_done(stage); },
            .missing = [this, &stage, count] { return missing(stage, count); },
            .begins_anew = stage.is_cut};
  }

  const Build& build_;
  const SlurmOptions& options_;
  const ClusterPaths paths_;
  const JobCommands commands_;
  const std::filesystem::path& program_;
  std::optional<forecast::Forecast> forecast_;
  const StopFlag& stop_;
  JobRunner jobs_;
  std::set<std::string> said_;
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
  // A build that runs at the same time, perhaps with other settings, has the folder above.
  const ClusterPaths paths{std::filesystem::absolute(build.run.work) / "cluster" / "by-hand"};
  for (const auto& folder : {paths.ends(), paths.logs()}) std::filesystem::create_directories(folder);
  write_file_atomically(paths.settings(), build.settings.remembered());
  const JobCommands commands(build, paths);
  std::string text;
  const auto add = [&](const Job& job) {
    text += "# sbatch";
    for (const auto& option : sbatch_options(job, options, paths)) text += " " + shell_word(option);
    text += " " + job.label + ".sh\n";
    text += job_script(job, paths, program, std::filesystem::current_path()) + "\n";
  };
  for (const auto* stage : build.stages) {
    const auto name = std::string(stage->name);
    const auto count = most_tasks(build, *stage);
    const auto needs = stage_resources(options, stage->name, count, nullptr);
    if (count > 0 && stage->prepares)
      add({name, name + "-prepare", commands.of_prepare(*stage, needs.merge.cpus), {}, needs.merge, {}, {}});
    if (count > 0) {
      std::vector<std::uint32_t> all(count);
      for (std::uint32_t i = 0; i < count; ++i) all[i] = i;
      add({name, name, commands.of_shard(*stage, count, "{index}", needs.task.cpus), all, needs.task, {}, {}});
    }
    add({name, name + "-merge", commands.of_merge(*stage, count, needs.merge.cpus), {}, needs.merge, {}, {}});
  }
  return text;
}

}  // namespace touchstone::pipeline::cluster
