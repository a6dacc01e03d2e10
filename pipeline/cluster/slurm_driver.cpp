#include "pipeline/cluster/slurm_driver.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "pipeline/cluster/driver_claim.hpp"
#include "pipeline/cluster/job_commands.hpp"
#include "pipeline/cluster/job_script.hpp"
#include "pipeline/cluster/journal.hpp"
#include "pipeline/cluster/slurm.hpp"
#include "pipeline/cluster/slurm_options.hpp"
#include "pipeline/flow/runner.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::pipeline::cluster {
namespace {

using flow::Build;
using flow::StageInfo;

constexpr std::size_t kShownLogBytes = 2000;
constexpr int kExitStopped = 3;  ///< the program left at a signal and can go on

/// The last lines of a file, for people.
std::string end_of_log(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  auto text = read_file(file);
  while (text.ends_with('\n')) text.pop_back();
  if (text.size() > kShownLogBytes) text.erase(0, text.size() - kShownLogBytes);
  const auto last = text.rfind('\n');
  return last == std::string::npos ? text : text.substr(last + 1);
}

/// Whether Slurm or the kernel wrote into a log that the job had too little memory.
bool says_out_of_memory(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return false;
  const auto text = read_file(file);
  return text.find("exceeded memory limit") != std::string::npos || text.find("oom-kill") != std::string::npos ||
         text.find("oom_kill") != std::string::npos;
}

/// Begins the names of all jobs of a work directory in Slurm.
std::string name_prefix(const std::filesystem::path& work) {
  constexpr std::size_t kDigits = 8;
  return "ts-" + sha256_hex(std::filesystem::absolute(work).lexically_normal().string()).substr(0, kDigits) + "-";
}

class SlurmDriver {
 public:
  SlurmDriver(const Build& build, std::filesystem::path program, const StopFlag& stop)
      : build_(build),
        options_(build.settings.get<SlurmOptions>()),
        program_(std::move(program)),
        folder_(std::filesystem::current_path()),
        paths_{std::filesystem::absolute(build.run.work) / "cluster"},
        commands_(build, paths_),
        prefix_(name_prefix(build.run.work)),
        journal_(paths_.journal()),
        stop_(stop),
        array_size_(most_array_tasks()) {
    for (const auto& folder : {paths_.scripts(), paths_.ends(), paths_.logs()})
      std::filesystem::create_directories(folder);
  }

  void run() {
    DriverClaim claim(paths_.claim(), std::chrono::seconds(2 * options_.poll_seconds + 5), stop_);
    claim_ = &claim;
    write_file_atomically(paths_.settings(), build_.settings.remembered());
    wait_for_jobs("jobs of an earlier run");
    for (const auto* stage : build_.stages) run_stage(*stage);
  }

 private:
  /// A task of the last submission that has no result yet.
  struct Given {
    std::string id;  ///< in Slurm
    std::filesystem::path end, log;
    std::vector<std::string> command;
  };

  bool is_done(const StageInfo& stage) const {
    if (!storage::Store::exists(flow::WorkPaths{build_.run.work}.store())) return false;
    flow::Runner runner(build_.graph, build_.settings, build_.run, storage::Access::kReadOnly);
    const StageInfo* const chosen[] = {&stage};
    return !runner.plan(chosen).front().run;
  }

  std::uint32_t shards_of(const StageInfo& stage) const {
    if (!stage.is_cut) return 0;
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
    Resources map{options_.cpus, memory_mb_, options_.minutes};
    Resources merge{options_.merge_cpus, options_.merge_memory_mb, options_.minutes};
    excluded_.clear();
    for (std::int64_t attempt = 1;; ++attempt) {
      const auto shards = missing(stage, count);
      give_out(stage, count, shards, map, merge);
      wait_for_jobs(std::string(stage.name));
      if (is_done(stage)) break;
      const auto left = missing(stage, count);
      learn(stage, count, left, map, merge);
      if (attempt == options_.most_attempts)
        throw Error(
            fmt::format("stage {} is not done after {} attempts; {}; touchstone status --work {} has the reasons, "
                        "and the same command goes on",
                        stage.name, attempt, last_reason_, build_.run.work.string()));
    }
    journal_.finished(std::string(stage.name));
    log_info("{}: done", stage.name);
  }

  /// Gives out arrays for the shards that are missing, and a job that merges after all of them.
  void give_out(const StageInfo& stage, std::uint32_t count, const std::vector<std::uint32_t>& shards,
                const Resources& map, const Resources& merge) {
    given_.clear();
    std::vector<std::string> arrays;
    const auto label = [&] { return fmt::format("{}-{:04}", stage.name, ++labels_); };
    for (std::size_t begin = 0; begin < shards.size(); begin += array_size_) {
      const auto end = std::min<std::size_t>(begin + array_size_, shards.size());
      Job array{
          prefix_ + std::string(stage.name),
          label(),
          commands_.of_shard(stage, count, "{index}", map.cpus),
          {shards.begin() + static_cast<std::ptrdiff_t>(begin), shards.begin() + static_cast<std::ptrdiff_t>(end)},
          map,
          excluded_,
          {}};
      const auto id = submit_job(array);
      for (std::size_t task = 0; task < array.indexes.size(); ++task) {
        const auto index = array.indexes[task];
        const auto name = fmt::format("{}_{}", id, task);
        given_[index] = {name, end_file(array, paths_, index), log_file(array, paths_, name),
                         commands_.of_shard(stage, count, std::to_string(index), map.cpus)};
      }
      arrays.push_back(id);
    }
    const Job job{prefix_ + std::string(stage.name),
                  label(),
                  commands_.of_merge(stage, count, merge.cpus),
                  {},
                  merge,
                  excluded_,
                  arrays};
    const auto id = submit_job(job);
    merge_ = {id, end_file(job, paths_, 0), log_file(job, paths_, id), job.command};
    auto jobs = arrays;
    jobs.push_back(id);
    journal_.submitted(std::string(stage.name), jobs, shards.size());
    if (count > 0)
      log_info("{}: {} of {} shards in {} ({}), then a merge (job {})", stage.name, shards.size(), count,
               arrays.size() == 1 ? "1 array" : fmt::format("{} arrays", arrays.size()), fmt::join(arrays, ", "), id);
    else
      log_info("{}: one job ({})", stage.name, id);
  }

  std::string submit_job(const Job& job) const {
    const auto script = paths_.scripts() / (job.label + ".sh");
    write_file_atomically(script, job_script(job, paths_, program_, folder_));
    return submit(sbatch_options(job, options_, paths_), script);
  }

  /// Waits until no job of this work directory is in the queue, in two answers one after the other: what a controller
  /// says just after its start may not be all.
  void wait_for_jobs(const std::string& what) {
    bool silent = false;
    std::size_t shown = 0;
    for (int empty = 0; empty < 2;) {
      claim_->beat();
      const auto jobs = queued(prefix_);
      if (!jobs) {
        if (!std::exchange(silent, true))
          log_line(LogLevel::kWarn,
                   what + ": Slurm's controller does not answer; jobs that run go on, and so does this");
        empty = 0;
      } else {
        if (std::exchange(silent, false)) log_info("{}: Slurm's controller answers again", what);
        cancel_held(*jobs);
        empty = jobs->empty() ? empty + 1 : 0;
        if (!jobs->empty() && jobs->size() != shown) {
          shown = jobs->size();
          log_info("{}: {} jobs and tasks wait or run", what, shown);
        }
      }
      if (empty < 2) pause(empty > 0 ? 1 : options_.poll_seconds);
    }
  }

  /// A job that Slurm holds back for good would be waited for without end.
  static void cancel_held(const std::vector<QueuedJob>& jobs) {
    std::vector<std::string> held;
    for (const auto& job : jobs) {
      if (job.state == "PENDING" && (job.reason.find("held") != std::string::npos ||
                                     job.reason == "DependencyNeverSatisfied" || job.reason == "BadConstraints"))
        held.push_back(job.id);
    }
    cancel(held);
  }

  void pause(std::int64_t seconds) const {
    constexpr int kChecksASecond = 10;
    for (std::int64_t i = 0; i < seconds * kChecksASecond; ++i) {
      if (stop_.requested()) {
        log_line(
            LogLevel::kWarn,
            fmt::format("the jobs in Slurm go on; the same command waits for them, and scancel --name with the names "
                        "{}STAGE ends them",
                        prefix_));
        stop_.check();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kChecksASecond));
    }
  }

  /// Finds out why shards are missing or the merge failed, and what to do otherwise. Throws Error for a failure of the
  /// program, which would only be repeated.
  void learn(const StageInfo& stage, std::uint32_t count, const std::vector<std::uint32_t>& left, Resources& map,
             Resources& merge) {
    constexpr std::size_t kMostAsked = 200;  // an answer each; one array mostly fails for one reason
    bool more_memory = false, more_time = false;
    std::size_t asked = 0;
    for (const auto index : left) {
      const auto found = given_.find(index);
      if (found == given_.end() || ++asked > kMostAsked) continue;
      judge_end(stage, {index, count}, found->second, more_memory, more_time);
    }
    if (more_memory) memory_mb_ = map.memory_mb *= 2;  // the next stages are of the same wiki
    if (more_time) map.minutes *= 2;
    if (!left.empty()) return;
    more_memory = more_time = false;
    judge_end(stage, {0, 0}, merge_, more_memory, more_time);
    if (more_memory) merge.memory_mb *= 2;
    if (more_time) merge.minutes *= 2;
  }

  static std::optional<int> exit_status(const std::filesystem::path& end) {
    std::error_code error;
    if (!std::filesystem::exists(end, error)) return std::nullopt;
    try {
      return std::stoi(read_file(end));
    } catch (const std::logic_error&) {
      return std::nullopt;
    }
  }

  void judge_end(const StageInfo& stage, flow::Shard shard, const Given& task, bool& more_memory, bool& more_time) {
    constexpr int kKilled = 128 + 9;
    const auto status = exit_status(task.end);
    auto ended = end_of(task.id);
    // Without control groups, Slurm says so in the log alone.
    if (says_out_of_memory(task.log)) ended.end = JobEnd::kOutOfMemory;
    const auto what =
        shard.count == 0 ? std::string("its job") : fmt::format("shard {} of {}", shard.index + 1, shard.count);
    std::string reason(to_string(ended.end));
    const bool at_limit = ended.end == JobEnd::kTimeout || status == kExitStopped;
    const bool by_itself = status && *status != 0 && *status < 128 && !at_limit;
    if (at_limit) reason = to_string(JobEnd::kTimeout);
    if (by_itself) reason = fmt::format("ended with status {}", *status);
    FailedTask failed{std::string(stage.name), shard.index, shard.count, task.id, ended.node, reason,
                      task.log.string(),       {}};
    failed.command.push_back(program_.string());
    failed.command.insert(failed.command.end(), task.command.begin(), task.command.end());
    journal_.failed(failed);
    last_reason_ =
        fmt::format("{} (job {}{}) {}", what, task.id, ended.node.empty() ? "" : " on " + ended.node, reason);
    log_line(LogLevel::kWarn, fmt::format("{}: {}; log {}", stage.name, last_reason_, task.log.string()));
    if (by_itself) {
      const auto said = end_of_log(task.log);
      throw Error(fmt::format("stage {} failed: {} (job {}{}): {}; its log is {}", stage.name, what, task.id,
                              ended.node.empty() ? "" : " on " + ended.node, said.empty() ? reason : said,
                              task.log.string()));
    }
    more_memory |= ended.end == JobEnd::kOutOfMemory || (status == kKilled && ended.end != JobEnd::kTimeout);
    more_time |= at_limit;
    if (ended.end == JobEnd::kNodeFail && !ended.node.empty() &&
        std::find(excluded_.begin(), excluded_.end(), ended.node) == excluded_.end())
      excluded_.push_back(ended.node);
  }

  const Build& build_;
  const SlurmOptions& options_;
  std::filesystem::path program_, folder_;
  ClusterPaths paths_;
  JobCommands commands_;
  std::string prefix_;
  Journal journal_;
  const StopFlag& stop_;
  std::uint32_t array_size_;
  DriverClaim* claim_ = nullptr;
  std::map<std::uint32_t, Given> given_;  ///< by shard, of the last submission
  Given merge_;
  std::vector<std::string> excluded_;
  std::string last_reason_;
  std::int64_t memory_mb_ = options_.memory_mb;  ///< of a job that maps
  /// Numbers the files of submissions; not from 1 at every start, so that no old file is taken for a new one.
  std::int64_t labels_ =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
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
    const auto count = stage->is_cut ? build.run.shards : 0;
    if (stage->is_cut) {
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

std::string cluster_status(const std::filesystem::path& work) {
  const ClusterPaths paths{work / "cluster"};
  std::string text;
  for (const auto& task : Journal(paths.journal()).failures()) {
    const auto what = task.count == 0 ? "its job" : fmt::format("shard {} of {}", task.index + 1, task.count);
    text += fmt::format("{}: {} (job {}{}) {}\n  log      {}\n", task.stage, what, task.job,
                        task.node.empty() ? "" : " on " + task.node, task.reason, task.log);
    if (const auto said = end_of_log(task.log); !said.empty()) text += "  it said  " + said + "\n";
    text += fmt::format("  again    {}\n", fmt::join(task.command, " "));
  }
  return text;
}

}  // namespace touchstone::pipeline::cluster
