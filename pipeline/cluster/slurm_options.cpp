#include "pipeline/cluster/slurm_options.hpp"

namespace touchstone::pipeline::cluster {

namespace {
constexpr double kMostMinutes = 60.0 * 24 * 365, kMostMegabytes = 1e7, kMostCpus = 4096, kMostSeconds = 3600;
}

std::vector<Option<StageNeeds>> StageNeeds::options() {
  using S = StageNeeds;
  return {
      {"name", &S::name, OptionRange{}, OptionEffect::kNone, "Name of the stage."},
      {"minutes", &S::minutes, between(0, kMostMinutes), OptionEffect::kNone, "Time limit of its jobs."},
      {"memory_mb", &S::memory_mb, between(0, kMostMegabytes), OptionEffect::kNone,
       "Memory of a job that maps a shard of it."},
      {"merge_memory_mb", &S::merge_memory_mb, between(0, kMostMegabytes), OptionEffect::kNone,
       "Memory of the job that merges them or runs the whole stage."},
      {"cpus", &S::cpus, between(0, kMostCpus), OptionEffect::kNone, "Processors of a job that maps a shard."},
      {"merge_cpus", &S::merge_cpus, between(0, kMostCpus), OptionEffect::kNone, "Processors of the merge."},
  };
}

StageNeeds SlurmOptions::of_stage(std::string_view stage) const {
  StageNeeds needs{std::string(stage), minutes, memory_mb, merge_memory_mb, cpus, merge_cpus};
  for (const auto& table : stages) {
    if (table.over(StageNeeds{}).name == stage) needs = table.over(needs);
  }
  return needs;
}

std::vector<Option<SlurmOptions>> SlurmOptions::options() {
  using S = SlurmOptions;
  return {
      {"slurm.partition", &S::partition, OptionRange{}, OptionEffect::kNone,
       "Partition of the jobs of `build --executor slurm`; empty: the default one."},
      {"slurm.account", &S::account, OptionRange{}, OptionEffect::kNone,
       "Account of the jobs; empty: the default one."},
      {"slurm.minutes", &S::minutes, between(0, kMostMinutes), OptionEffect::kNone,
       "Time limit of a job; 0: as a forecast says. A job that reaches it is given to Slurm again with twice the "
       "time."},
      {"slurm.memory_mb", &S::memory_mb, between(0, kMostMegabytes), OptionEffect::kNone,
       "Memory of a job that maps a shard; 0: as a forecast says. A job that needs more is given to Slurm again with "
       "twice as much."},
      {"slurm.merge_memory_mb", &S::merge_memory_mb, between(0, kMostMegabytes), OptionEffect::kNone,
       "Memory of a job that merges shards or runs a whole stage; 0: as a forecast says. Doubled likewise."},
      {"slurm.cpus", &S::cpus, between(1, kMostCpus), OptionEffect::kNone, "Processors of a job that maps a shard."},
      {"slurm.merge_cpus", &S::merge_cpus, between(1, kMostCpus), OptionEffect::kNone,
       "Processors of a job that merges shards or runs a whole stage."},
      {"slurm.stages", &S::stages, OptionRange{}, OptionEffect::kNone,
       "What the jobs of single stages get, a table each: name, and minutes, memory_mb, merge_memory_mb, cpus, "
       "merge_cpus."},
      {"slurm.options", &S::more, OptionRange{}, OptionEffect::kNone,
       "Further options of sbatch, such as \"--qos=low\" or \"--constraint=ssd\"."},
      {"slurm.poll_seconds", &S::poll_seconds, between(1, kMostSeconds), OptionEffect::kNone,
       "Seconds between two questions to Slurm."},
      {"slurm.attempts", &S::most_attempts, between(1, 100), OptionEffect::kNone,
       "How often a shard is tried before the build fails."},
  };
}

}  // namespace touchstone::pipeline::cluster
