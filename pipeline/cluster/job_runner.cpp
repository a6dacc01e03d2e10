#include "pipeline/cluster/job_runner.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::pipeline::cluster {
namespace {

constexpr int kExitStopped = 3;  ///< the program left at a signal and can go on
constexpr int kExitNoTopics = 4;

/// Whether Slurm or the kernel wrote into a log that the job had too little memory.
bool says_out_of_memory(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return false;
  const auto text = read_file(file);
  return text.find("exceeded memory limit") != std::string::npos || text.find("oom-kill") != std::string::npos ||
         text.find("oom_kill") != std::string::npos;
}

std::optional<int> exit_status(const std::filesystem::path& end) {
  std::error_code error;
  if (!std::filesystem::exists(end, error)) return std::nullopt;
  try {
    return std::stoi(read_file(end));
  } catch (const std::logic_error&) {
    return std::nullopt;
  }
}

/// Whether a job waits for more than its partition, account or quality of service ever gives to one job.
bool asks_for_too_much(std::string_view reason) {
  return reason == "PartitionTimeLimit" || reason == "PartitionNodeLimit" || reason == "MaxMemPerLimit" ||
         (reason.find("Max") != std::string_view::npos && reason.ends_with("PerJobLimit"));
}

/// A job that Slurm holds back for good would be waited for without end. Throws Error for one that asks for more than a
/// job may have: the next one would ask for as much.
void cancel_held(const std::vector<QueuedJob>& jobs) {
  std::vector<std::string> held;
  std::string too_much;
  for (const auto& job : jobs) {
    if (job.state != "PENDING") continue;
    if (asks_for_too_much(job.reason)) too_much = job.reason;
    if (!too_much.empty() || job.reason.find("held") != std::string::npos || job.reason == "DependencyNeverSatisfied" ||
        job.reason == "BadConstraints")
      held.push_back(job.id);
  }
  cancel(held);
  if (!too_much.empty())
    throw Error("Slurm gives no job as much as slurm.minutes, slurm.memory_mb, slurm.cpus and the forecast ask for (" +
                too_much + "); give less, to single stages with [[slurm.stages]], or name another slurm.partition");
}

}  // namespace

JobRunner::JobRunner(const std::filesystem::path& directory, const SlurmOptions& options, std::filesystem::path program,
                     const StopFlag& stop)
    : options_(options),
      program_(std::move(program)),
      folder_(std::filesystem::current_path()),
      paths_{std::filesystem::absolute(directory) / "cluster"},
      prefix_(job_name_prefix(directory)),
      stop_(stop),
      array_size_(most_array_tasks()),
      most_minutes_(most_minutes_in(options_.partition)),
      journal_(paths_.journal()),
      labels_(std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
                  .count()) {
  for (const auto& folder : {paths_.scripts(), paths_.ends(), paths_.logs()})
    std::filesystem::create_directories(folder);
  claim_.emplace(paths_.claim(), std::chrono::seconds(2 * options_.poll_seconds + 5), stop_);
  wait_for_jobs("jobs of an earlier run");
}

std::map<std::uint32_t, std::string> JobRunner::finish(ClusterWork work) {
  work.task_needs.memory_mb *= memory_factor_;
  for (auto* needs : {&work.task_needs, &work.merge_needs})
    needs->minutes = std::min(needs->minutes, most_minutes_.value_or(needs->minutes));
  excluded_.clear();
  failed_.clear();
  const auto missing = [&] {
    auto tasks = work.missing ? work.missing() : std::vector<std::uint32_t>{};
    std::erase_if(tasks, [&](std::uint32_t task) { return failed_.contains(task); });
    return tasks;
  };
  const auto is_done = [&] { return work.merge.empty() ? missing().empty() : work.is_done(); };
  for (std::int64_t attempt = 1; !is_done(); ++attempt) {
    if (attempt > options_.most_attempts && !work.needs_all) {
      const auto reason = fmt::format("not done after {} attempts; the last: {}", options_.most_attempts, last_reason_);
      for (const auto task : missing()) failed_.emplace(task, reason);
      break;
    }
    if (attempt > options_.most_attempts)
      throw Error(
          fmt::format("{} is not done after {} attempts; {}; touchstone status --work {} has the reasons, and the "
                      "same command goes on",
                      work.name, options_.most_attempts, last_reason_, paths_.root.parent_path().string()));
    give_out(work, missing());
    wait_for_jobs(work.name);
    if (is_done()) break;
    learn(work, missing());
  }
  journal_.finished(work.name);
  return std::exchange(failed_, {});
}

/// Gives out arrays for the tasks that are missing, and a job that merges after all of them.
void JobRunner::give_out(const ClusterWork& work, const std::vector<std::uint32_t>& tasks) {
  given_.clear();
  std::vector<std::string> jobs;
  const auto label = [&] { return fmt::format("{}-{:04}", work.name, ++labels_); };
  for (std::size_t begin = 0; begin < tasks.size(); begin += array_size_) {
    const auto end = std::min<std::size_t>(begin + array_size_, tasks.size());
    const Job array{
        prefix_ + work.name,
        label(),
        work.task,
        {tasks.begin() + static_cast<std::ptrdiff_t>(begin), tasks.begin() + static_cast<std::ptrdiff_t>(end)},
        work.task_needs,
        excluded_,
        {}};
    const auto id = submit_job(array);
    for (std::size_t task = 0; task < array.indexes.size(); ++task) {
      const auto index = array.indexes[task];
      const auto name = fmt::format("{}_{}", id, task);
      auto command = work.task;
      std::replace(command.begin(), command.end(), std::string("{index}"), std::to_string(index));
      given_[index] = {name, end_file(array, paths_, index), log_file(array, paths_, name), std::move(command)};
    }
    jobs.push_back(id);
  }
  const auto arrays = jobs;
  if (!work.merge.empty()) {
    const Job job{prefix_ + work.name, label(), work.merge, {}, work.merge_needs, excluded_, arrays};
    const auto id = submit_job(job);
    merge_ = {id, end_file(job, paths_, 0), log_file(job, paths_, id), job.command};
    jobs.push_back(id);
  }
  journal_.submitted(work.name, jobs, work.tasks);
  if (work.tasks == 0) return log_info("{}: one job ({})", work.name, jobs.back());
  log_info("{}: {} of {} {}s in {} ({}){}", work.name, tasks.size(), work.tasks, work.task_noun,
           arrays.size() == 1 ? "1 array" : fmt::format("{} arrays", arrays.size()), fmt::join(arrays, ", "),
           work.merge.empty() ? "" : fmt::format(", then a merge (job {})", jobs.back()));
}

std::string JobRunner::submit_job(const Job& job) {
  const auto script = paths_.scripts() / (job.label + ".sh");
  write_file_atomically(script, job_script(job, paths_, program_, folder_));
  return submit(sbatch_options(job, options_, paths_), script);
}

/// Waits until no job of this directory is in the queue, in two answers one after the other: what a controller says
/// just after its start may not be all.
void JobRunner::wait_for_jobs(const std::string& what) {
  bool silent = false;
  std::size_t shown = 0;
  for (int empty = 0; empty < 2;) {
    claim_->beat();
    const auto jobs = queued(prefix_);
    if (!jobs) {
      if (!std::exchange(silent, true))
        log_line(LogLevel::kWarn, what + ": Slurm's controller does not answer; jobs that run go on, and so does this");
      empty = 0;
    } else {
      if (std::exchange(silent, false)) log_info("{}: Slurm's controller answers again", what);
      cancel_held(*jobs);
      empty = jobs->empty() ? empty + 1 : 0;
      if (!jobs->empty() && jobs->size() != shown) {
        shown = jobs->size();
        log_info("{}: {} wait or run", what, shown == 1 ? "one job" : fmt::format("{} jobs and tasks", shown));
      }
    }
    if (empty < 2) pause(empty > 0 ? 1 : options_.poll_seconds);
  }
}

void JobRunner::pause(std::int64_t seconds) const {
  constexpr int kChecksASecond = 10;
  for (std::int64_t i = 0; i < seconds * kChecksASecond; ++i) {
    if (stop_.requested()) {
      log_line(LogLevel::kWarn, fmt::format("the jobs in Slurm go on; the same command waits for them, and scancel "
                                            "--name with the names {}STAGE ends them",
                                            prefix_));
      stop_.check();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kChecksASecond));
  }
}

/// Finds out why tasks are missing or the merge failed, and what to do otherwise. Throws Error for a failure of the
/// program that the work cannot do without; it would only be repeated.
void JobRunner::learn(ClusterWork& work, const std::vector<std::uint32_t>& left) {
  constexpr std::size_t kMostAsked = 200;  // an answer each; one array mostly fails for one reason
  Lesson lesson;
  std::size_t asked = 0;
  for (const auto index : left) {
    const auto found = given_.find(index);
    if (found == given_.end() || ++asked > kMostAsked) continue;
    learn_of(work, index, work.tasks, found->second, lesson);
  }
  if (lesson.more_memory) {
    work.task_needs.memory_mb *= 2;
    memory_factor_ *= 2;
  }
  if (lesson.more_time) {
    if (work.begins_anew && work.task_needs.minutes == most_minutes_)
      throw OutOfTime(
          fmt::format("stage {}: {}, and the partition gives no job more than {} minutes; give more --shards",
                      work.name, last_reason_, *most_minutes_));
    give_more_time(work.task_needs);
  }
  if (!left.empty()) return;
  lesson = {};
  learn_of(work, 0, 0, merge_, lesson);
  if (lesson.more_memory) work.merge_needs.memory_mb *= 2;
  if (lesson.more_time) give_more_time(work.merge_needs);
}

void JobRunner::give_more_time(Resources& needs) const {
  needs.minutes = std::min(2 * needs.minutes, most_minutes_.value_or(2 * needs.minutes));
}

/// \param count  0: of the job after the tasks
void JobRunner::learn_of(const ClusterWork& work, std::uint32_t index, std::uint32_t count, const Given& task,
                         Lesson& lesson) {
  constexpr int kKilled = 128 + 9;
  const auto status = exit_status(task.end);
  auto ended = end_of(task.id, prefix_ + work.name);
  // Without control groups, Slurm says so in the log alone.
  if (says_out_of_memory(task.log)) ended.end = JobEnd::kOutOfMemory;
  const auto what = count == 0 ? std::string("its job") : fmt::format("{} {} of {}", work.task_noun, index + 1, count);
  std::string reason(to_string(ended.end));
  const bool at_limit = ended.end == JobEnd::kTimeout || status == kExitStopped;
  const bool by_itself = status && *status != 0 && *status < 128 && !at_limit && *status != kExitNoTopics;
  if (at_limit) reason = to_string(JobEnd::kTimeout);
  if (by_itself) reason = fmt::format("ended with status {}", *status);
  FailedTask failed{work.name, index, count, task.id, ended.node, reason, task.log.string(), {program_.string()}};
  failed.command.insert(failed.command.end(), task.command.begin(), task.command.end());
  journal_.failed(failed);
  const auto where = fmt::format("job {}{}", task.id, ended.node.empty() ? "" : " on " + ended.node);
  last_reason_ = fmt::format("{} ({}) {}", what, where, reason);
  log_line(LogLevel::kWarn, fmt::format("{}: {}; log {}", work.name, last_reason_, task.log.string()));
  if (by_itself) {
    const auto last = last_lines(task.log, 1);
    const auto said = last.empty() ? reason : last.front();
    if (work.needs_all)
      throw Error(
          fmt::format("stage {} failed: {} ({}): {}; its log is {}", work.name, what, where, said, task.log.string()));
    failed_[index] = said;
    return;
  }
  lesson.more_memory |= ended.end == JobEnd::kOutOfMemory || (status == kKilled && ended.end != JobEnd::kTimeout);
  lesson.more_time |= at_limit;
  if (ended.end == JobEnd::kNodeFail && !ended.node.empty() &&
      std::find(excluded_.begin(), excluded_.end(), ended.node) == excluded_.end())
    excluded_.push_back(ended.node);
}

}  // namespace touchstone::pipeline::cluster
