#include "pipeline/cluster/slurm_options.hpp"

namespace touchstone::pipeline::cluster {

std::vector<Option<SlurmOptions>> SlurmOptions::options() {
  using S = SlurmOptions;
  constexpr double kMostMinutes = 60.0 * 24 * 365, kMostMegabytes = 1e7, kMostCpus = 4096, kMostSeconds = 3600;
  return {
      {"slurm.partition", &S::partition, OptionRange{}, OptionEffect::kNone,
       "Partition of the jobs of `build --executor slurm`; empty: the default one."},
      {"slurm.account", &S::account, OptionRange{}, OptionEffect::kNone,
       "Account of the jobs; empty: the default one."},
      {"slurm.minutes", &S::minutes, between(1, kMostMinutes), OptionEffect::kNone,
       "Time limit of a job. A job that reaches it is given to Slurm again with twice the time."},
      {"slurm.memory_mb", &S::memory_mb, between(1, kMostMegabytes), OptionEffect::kNone,
       "Memory of a job that maps a shard. A job that needs more is given to Slurm again with twice as much."},
      {"slurm.merge_memory_mb", &S::merge_memory_mb, between(1, kMostMegabytes), OptionEffect::kNone,
       "Memory of a job that merges shards or runs a whole stage; doubled likewise."},
      {"slurm.cpus", &S::cpus, between(1, kMostCpus), OptionEffect::kNone, "Processors of a job that maps a shard."},
      {"slurm.merge_cpus", &S::merge_cpus, between(1, kMostCpus), OptionEffect::kNone,
       "Processors of a job that merges shards or runs a whole stage."},
      {"slurm.options", &S::more, OptionRange{}, OptionEffect::kNone,
       "Further options of sbatch, such as \"--qos=low\" or \"--constraint=ssd\"."},
      {"slurm.poll_seconds", &S::poll_seconds, between(1, kMostSeconds), OptionEffect::kNone,
       "Seconds between two questions to Slurm."},
      {"slurm.attempts", &S::most_attempts, between(1, 100), OptionEffect::kNone,
       "How often a shard is tried before the build fails."},
  };
}

}  // namespace touchstone::pipeline::cluster
