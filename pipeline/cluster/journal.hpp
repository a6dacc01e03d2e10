#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::pipeline::cluster {

/// A task or job that did not do its work.
struct FailedTask {
  std::string stage;
  std::uint32_t index = 0, count = 0;  ///< the shard; count 0: the merge, or a stage that is not cut
  std::string job, node, reason, log;
  std::vector<std::string> command;  ///< that runs it again
};

/// The last jobs of a stage that was given to Slurm.
struct GivenStage {
  std::string stage;
  std::vector<std::string> jobs;     ///< arrays, then the merge
  std::uint32_t shards = 0;          ///< that the stage has; 0: it is not cut
  std::vector<FailedTask> failures;  ///< since it was last done, of each task the last one
};

/// Notes of what was given out and what failed, as JSON lines that are only added to. Readers leave out lines that are
/// not whole.
class Journal {
 public:
  explicit Journal(std::filesystem::path file) : file_(std::move(file)) {}

  /// Throws StorageError.
  /// \param shards  that the stage has
  void submitted(const std::string& stage, const std::vector<std::string>& jobs, std::uint32_t shards) const;
  void failed(const FailedTask& task) const;
  void finished(const std::string& stage) const;

  /// The stages that were given out and not finished after that, by name.
  std::vector<GivenStage> unfinished() const;

 private:
  std::filesystem::path file_;
};

}  // namespace touchstone::pipeline::cluster
