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

/// Notes of what was given out and what failed, as JSON lines that are only added to. Readers leave out lines that are
/// not whole.
class Journal {
 public:
  explicit Journal(std::filesystem::path file) : file_(std::move(file)) {}

  /// Throws StorageError.
  void submitted(const std::string& stage, const std::vector<std::string>& jobs, std::size_t shards) const;
  void failed(const FailedTask& task) const;
  void finished(const std::string& stage) const;

  /// The failures of stages that were not finished after them; of each task the last one.
  std::vector<FailedTask> failures() const;

 private:
  std::filesystem::path file_;
};

}  // namespace touchstone::pipeline::cluster
