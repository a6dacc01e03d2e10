#include "pipeline/cluster/cluster_status.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/cluster/job_script.hpp"
#include "pipeline/cluster/slurm.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::pipeline::cluster {
namespace {

constexpr std::size_t kLogLines = 3;
constexpr std::size_t kMostRanges = 8;

/// The user's jobs of this work directory; nothing if Slurm does not answer.
std::optional<std::vector<QueuedJob>> jobs_of(const std::filesystem::path& work) {
  try {
    return queued(job_name_prefix(work));
  } catch (const Error&) {  // there is no squeue here; what the disk says is shown all the same
    return std::nullopt;
  }
}

void add_queue(const std::vector<QueuedJob>& queue, StageJobs& stage) {
  stage.slurm_answers = true;
  for (const auto& job : queue) {
    if (!job.name.ends_with("-" + stage.stage)) continue;
    if (job.state == "PENDING") {
      ++stage.waiting;
    } else {
      stage.running.push_back(job.node.empty() ? job.id : job.id + " on " + job.node);
    }
  }
}

std::string failure_lines(const FailedTask& task) {
  const auto what = task.count == 0 ? "its job" : fmt::format("shard {} of {}", task.index + 1, task.count);
  auto text = fmt::format("  {} (job {}{}) {}\n    log      {}\n", what, task.job,
                          task.node.empty() ? "" : " on " + task.node, task.reason, task.log);
  for (const auto& line : last_lines(task.log, kLogLines)) text += "    |        " + line + "\n";
  return text + fmt::format("    again    {}\n", fmt::join(task.command, " "));
}

}  // namespace

std::vector<StageJobs> cluster_status(const flow::StageGraph& graph, const Settings& settings,
                                      const flow::RunOptions& run) {
  const ClusterPaths paths{run.work / "cluster"};
  std::vector<StageJobs> stages;
  std::optional<std::vector<QueuedJob>> queue;
  for (auto& last : Journal(paths.journal()).unfinished()) {
    const auto* info = graph.find(last.stage);
    if (info == nullptr) continue;  // of another version
    if (stages.empty()) queue = jobs_of(run.work);
    StageJobs stage{last.stage, std::move(last.jobs), last.shards, {}, {}, 0, false, std::move(last.failures)};
    if (queue) add_queue(*queue, stage);
    if (stage.shards > 0) {
      auto sharded = run;
      sharded.shards = stage.shards;
      const flow::Runner runner(graph, settings, sharded, storage::Access::kReadOnly);
      for (const auto& finding : runner.missing_shards(*info)) stage.missing.push_back(finding.shard.index);
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

std::string shard_numbers(const std::vector<std::uint32_t>& indexes) {
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < indexes.size();) {
    std::size_t end = i + 1;
    while (end < indexes.size() && indexes[end] == indexes[end - 1] + 1) ++end;
    if (ranges.size() == kMostRanges) {
      ranges.push_back(fmt::format("{} more", indexes.size() - i));
      break;
    }
    ranges.push_back(end - i == 1 ? std::to_string(indexes[i] + 1)
                                  : fmt::format("{}-{}", indexes[i] + 1, indexes[end - 1] + 1));
    i = end;
  }
  if (ranges.size() < 2) return fmt::format("{}", fmt::join(ranges, ""));
  const auto last = ranges.back();
  ranges.pop_back();
  return fmt::format("{} and {}", fmt::join(ranges, ", "), last);
}

std::string status_text(const std::vector<StageJobs>& stages) {
  std::string text;
  for (const auto& stage : stages) {
    text += fmt::format("{}: jobs {}", stage.stage, fmt::join(stage.jobs, ", "));
    if (!stage.slurm_answers) {
      text += "; squeue does not answer here";
    } else if (stage.running.empty() && stage.waiting == 0) {
      text += "; none waits or runs";
    } else {
      text +=
          fmt::format("; {} run{}, {} wait", stage.running.size(),
                      stage.running.empty() ? "" : fmt::format(" ({})", fmt::join(stage.running, ", ")), stage.waiting);
    }
    if (stage.shards > 0) {
      text += stage.missing.empty() ? fmt::format("; all {} shards are whole", stage.shards)
                                    : fmt::format("; {} of {} shards are missing: {}", stage.missing.size(),
                                                  stage.shards, shard_numbers(stage.missing));
    }
    text += "\n";
    for (const auto& task : stage.failures) text += failure_lines(task);
  }
  return text;
}

}  // namespace touchstone::pipeline::cluster
