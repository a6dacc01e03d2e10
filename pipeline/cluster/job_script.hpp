#pragma once

#include "pipeline/cluster/slurm_options.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::pipeline::cluster {

/// Where everything of a build's jobs is in its work directory.
struct ClusterPaths {
  std::filesystem::path root;  ///< `<work>/cluster`

  std::filesystem::path settings() const { return root / "settings.toml"; }
  std::filesystem::path claim() const { return root / "driver"; }
  std::filesystem::path journal() const { return root / "journal.jsonl"; }
  std::filesystem::path scripts() const { return root / "scripts"; }
  std::filesystem::path ends() const { return root / "ends"; }
  std::filesystem::path logs() const { return root / "logs"; }
};

/// What jobs may use.
struct Resources {
  std::int64_t cpus = 1, memory_mb = 0, minutes = 0;
};

/// A job, or an array of jobs that each take one number of a list.
struct Job {
  std::string name;                    ///< in Slurm
  std::string label;                   ///< names its files: "pages-2"
  std::vector<std::string> command;    ///< of the program; "{index}" stands for the number
  std::vector<std::uint32_t> indexes;  ///< of the tasks; empty: one job
  Resources resources;
  std::vector<std::string> excluded_nodes;
  std::vector<std::string> after;  ///< ids of arrays and jobs that have to end before
};

/// The options of sbatch for it.
std::vector<std::string> sbatch_options(const Job& job, const SlurmOptions& options, const ClusterPaths& paths);

/// The script that a task runs: it starts the program, ends it in good time before the limit of time, and leaves a file
/// with its exit status.
/// \param folder  where the program runs
std::string job_script(const Job& job, const ClusterPaths& paths, const std::filesystem::path& program,
                       const std::filesystem::path& folder);

/// Begins the names of all jobs of a work directory in Slurm.
std::string job_name_prefix(const std::filesystem::path& work);

/// The last lines of a log, oldest first; none if there is no such file.
std::vector<std::string> last_lines(const std::filesystem::path& log, std::size_t most);

/// The file in which a task leaves its exit status.
std::filesystem::path end_file(const Job& job, const ClusterPaths& paths, std::uint32_t index);
/// Its log, once it runs.
std::filesystem::path log_file(const Job& job, const ClusterPaths& paths, const std::string& id);

}  // namespace touchstone::pipeline::cluster
