#pragma once

#include "common/options.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::cluster {

/// What the jobs of a stage may use. 0: as a forecast says, or as for all stages.
struct StageNeeds {
  std::string name;
  std::int64_t minutes = 0, memory_mb = 0, merge_memory_mb = 0, cpus = 0, merge_cpus = 0;

  static std::vector<Option<StageNeeds>> options();
};

/// How jobs are given to Slurm. None of it changes what a build writes.
struct SlurmOptions {
  std::string partition, account;
  std::int64_t minutes = 0, memory_mb = 0, merge_memory_mb = 0;  ///< 0: as a forecast says
  std::int64_t cpus = 1;
  std::int64_t merge_cpus = 2;
  std::vector<Overrides<StageNeeds>> stages;
  std::vector<std::string> more;  ///< further options of sbatch
  std::int64_t poll_seconds = 10;
  std::int64_t most_attempts = 4;

  static std::vector<Option<SlurmOptions>> options();
  /// What the jobs of a stage get: what its table says, else what is said for all stages.
  StageNeeds of_stage(std::string_view stage) const;
};

}  // namespace touchstone::pipeline::cluster
