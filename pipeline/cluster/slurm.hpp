#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The commands of Slurm that a build uses: sbatch, squeue, scontrol and, where it answers, sacct.
/// Source: their man pages, Slurm 22.05.
namespace touchstone::pipeline::cluster {

/// A job, or a task of an array, that has not ended.
struct QueuedJob {
  std::string id;    ///< "12", or "12_3" for task 3 of array 12
  std::string name;  ///< of the job
  std::string state, reason;
  std::string node;  ///< empty while it waits
};

/// Why a job is no longer there.
enum class JobEnd : std::uint8_t {
  kUnknown,  ///< Slurm has forgotten it, or does not say
  kDone,
  kFailed,  ///< its script ended with another status than 0
  kOutOfMemory,
  kTimeout,
  kNodeFail,
  kPreempted,
  kCancelled
};
std::string_view to_string(JobEnd end) noexcept;

struct EndedJob {
  JobEnd end = JobEnd::kUnknown;
  std::string node, name;  ///< name of the job
};

/// The lines of `squeue -o "%i|%j|%T|%r|%N"`; lines of another form are left out.
std::vector<QueuedJob> parse_queue(std::string_view text);
/// What `scontrol show job` says of one job.
EndedJob parse_job(std::string_view text);
/// The first line of `sacct --parsable2 --noheader --format=State,NodeList,JobName`.
EndedJob parse_accounting(std::string_view text);
/// The value of a line `Name = value` of `scontrol show config`.
std::optional<std::string> config_value(std::string_view text, std::string_view name);
/// The job id that `sbatch --parsable` prints, without the name of a cluster.
std::optional<std::string> submitted_id(std::string_view text);

/// Minutes that `scontrol show partition --oneliner` says a job may have in the partition with this name, or in the
/// default one if the name is empty; of several, separated by commas, the least. Nothing if there is no limit.
std::optional<std::int64_t> most_minutes(std::string_view partitions, std::string_view name);

/// Number of the most tasks that an array may have. Throws Error if Slurm does not answer.
std::uint32_t most_array_tasks();
/// Minutes that a job may have in a partition, as the other function reads them. Nothing if Slurm does not say.
std::optional<std::int64_t> most_minutes_in(std::string_view partition);
/// Gives a script to Slurm and returns the id of the job. Throws Error with what sbatch says.
std::string submit(const std::vector<std::string>& options, const std::filesystem::path& script);
/// The user's jobs whose names begin so, and that have not ended. Nothing if the controller does not answer.
std::optional<std::vector<QueuedJob>> queued(std::string_view name_prefix);
/// How a job or task ended, as far as Slurm still knows. A controller that lost its state gives ids again, so that a
/// job of another name is not the one that is meant.
EndedJob end_of(const std::string& id, std::string_view name);
void cancel(const std::vector<std::string>& ids);

}  // namespace touchstone::pipeline::cluster
