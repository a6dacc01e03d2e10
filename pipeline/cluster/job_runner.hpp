#pragma once

#include "common/error.hpp"
#include "common/stop.hpp"
#include "pipeline/cluster/driver_claim.hpp"
#include "pipeline/cluster/job_script.hpp"
#include "pipeline/cluster/journal.hpp"
#include "pipeline/cluster/slurm.hpp"
#include "pipeline/cluster/slurm_options.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::pipeline::cluster {

/// A shard needed all the time that the partition gives to a job.
struct OutOfTime : Error {
  using Error::Error;
};

/// Work that an array of tasks does, and a job after them.
struct ClusterWork {
  using Command = std::vector<std::string>;

  std::string name;         ///< of the stage
  std::string task_noun;    ///< of a task: "shard"
  std::uint32_t tasks = 0;  ///< in all; 0: there is the job alone
  Command task, merge;      ///< of the program; "{index}" stands for the number of the task; no merge: empty
  Resources task_needs, merge_needs;
  std::function<bool()> is_done;
  std::function<std::vector<std::uint32_t>()> missing;  ///< tasks that have to run (again)
  /// A task that cannot be done fails the whole. Else it is left out, and the others go on.
  bool needs_all = true;
  /// A task that comes to a limit of time begins anew, so that it needs more, or less to do. Else it goes on.
  bool begins_anew = false;
};

/// Gives work to Slurm until it is done. What is missing is given out again, with more memory or time where that was
/// the cause, without a node that failed, up to `slurm.attempts` times. Slurm itself requeues nothing. Not thread-safe.
class JobRunner {
 public:
  /// Takes the claim of the directory, and waits for the jobs of an earlier owner.
  /// \param directory  of the work; scripts and logs come into its folder "cluster"
  /// \param program    that the jobs run; the nodes must see it under this path
  /// Throws ConfigError if another process has the claim, Error if Slurm does not answer, Interrupted.
  JobRunner(const std::filesystem::path& directory, const SlurmOptions& options, std::filesystem::path program,
            const StopFlag& stop);

  /// Throws OutOfTime when a task that begins anew had all the time that the partition gives, Error when the work
  /// cannot be finished for another reason, Interrupted when a stop is requested; jobs go on then. \returns tasks that
  /// could not be done, by number, with the reason; empty if the work needs all
  std::map<std::uint32_t, std::string> finish(ClusterWork work);

 private:
  /// A task or job of the last submission.
  struct Given {
    std::string id;  ///< in Slurm
    std::filesystem::path end, log;
    std::vector<std::string> command;
  };
  struct Lesson {
    bool more_memory = false, more_time = false;
  };

  void give_more_time(Resources& needs) const;
  void give_out(const ClusterWork& work, const std::vector<std::uint32_t>& tasks);
  std::string submit_job(const Job& job);
  void wait_for_jobs(const std::string& what);
  void pause(std::int64_t seconds) const;
  void learn(ClusterWork& work, const std::vector<std::uint32_t>& left);
  void learn_of(const ClusterWork& work, std::uint32_t index, std::uint32_t count, const Given& task, Lesson& lesson);

  const SlurmOptions& options_;
  const std::filesystem::path program_, folder_;
  const ClusterPaths paths_;
  const std::string prefix_;
  const StopFlag& stop_;
  const std::uint32_t array_size_;
  const std::optional<std::int64_t> most_minutes_;  ///< that the partition gives to a job
  Journal journal_;
  std::optional<DriverClaim> claim_;
  std::map<std::uint32_t, Given> given_;  ///< by task, of the last submission
  Given merge_;
  std::vector<std::string> excluded_;  ///< nodes
  std::map<std::uint32_t, std::string> failed_;
  std::string last_reason_;
  std::int64_t memory_factor_ = 1;  ///< what earlier work learnt: the next stages are of the same wiki
  /// Numbers the files of submissions; not from 1 at every start, so that no old file is taken for a new one.
  std::int64_t labels_;
};

}  // namespace touchstone::pipeline::cluster
