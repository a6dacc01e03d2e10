#pragma once

#include "pipeline/cluster/journal.hpp"
#include "pipeline/flow/runner.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::pipeline::cluster {

/// The last jobs of a stage that is not done.
struct StageJobs {
  std::string stage;
  std::vector<std::string> jobs;       ///< arrays, then the merge
  std::uint32_t shards = 0;            ///< that the stage has; 0: it is not cut
  std::vector<std::uint32_t> missing;  ///< those that are not whole
  std::vector<std::string> running;    ///< "12_3 on n1"
  std::size_t waiting = 0;             ///< tasks and jobs
  bool slurm_answers = false;          ///< else `running` and `waiting` are not known
  std::vector<FailedTask> failures;
};

/// What the jobs of a work directory do, and what came of those that failed. Asks Slurm only if a stage was given to
/// it and is not done. Throws StorageError.
std::vector<StageJobs> cluster_status(const flow::StageGraph& graph, const Settings& settings,
                                      const flow::RunOptions& run);

/// For people, with the last lines of the logs of what failed and the command that runs it again.
std::string status_text(const std::vector<StageJobs>& stages);

/// "2, 5-9 and 11": numbers in ascending order, counted from 1 for people, a few of them.
/// \param indexes  counted from 0
std::string shard_numbers(const std::vector<std::uint32_t>& indexes);

}  // namespace touchstone::pipeline::cluster
