#pragma once

#include "common/options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::cluster {

/// How jobs are given to Slurm. None of it changes what a build writes.
struct SlurmOptions {
  std::string partition, account;
  std::int64_t minutes = 60;
  std::int64_t memory_mb = 2000;
  std::int64_t merge_memory_mb = 4000;
  std::int64_t cpus = 1;
  std::int64_t merge_cpus = 2;
  std::vector<std::string> more;  ///< further options of sbatch
  std::int64_t poll_seconds = 10;
  std::int64_t most_attempts = 4;

  static std::vector<Option<SlurmOptions>> options();
};

}  // namespace touchstone::pipeline::cluster
