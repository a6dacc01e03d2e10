#pragma once

#include "common/stop.hpp"
#include "pipeline/flow/build.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace touchstone::pipeline::cluster {

/// A build whose stages run as jobs of Slurm: an array of tasks that map the shards of a stage, and a job that merges
/// them and waits for all arrays. This process only gives out jobs and looks at what they left. What is true is on the
/// shared disk: a shard counts by its manifest, a stage by its record in the store; Slurm is asked who still runs, and
/// why somebody ended.
///
/// What is missing is given out again, with more memory or time where that was the cause, without a node that failed,
/// up to `slurm.attempts` times; a failure of the program itself ends the build with the last lines of the log. Slurm
/// itself requeues nothing. The jobs of an earlier driver that was killed are waited for first.
///
/// Throws ConfigError for what cannot be done on a cluster, Interrupted when a stop is requested (jobs go on), Error
/// when a stage cannot be finished.
/// \param program  that the jobs run; the nodes must see it under this path
void run_on_slurm(const flow::Build& build, const std::filesystem::path& program, const StopFlag& stop);

/// The scripts and sbatch options of all stages, for people who give out jobs by hand. Writes the settings that they
/// read, and makes the folders of their logs.
std::string slurm_scripts(const flow::Build& build, const std::filesystem::path& program);

}  // namespace touchstone::pipeline::cluster
