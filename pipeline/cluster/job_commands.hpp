#pragma once

#include "pipeline/cluster/job_script.hpp"
#include "pipeline/flow/build.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::pipeline::cluster {

/// The commands of the program that the jobs of a build run.
class JobCommands {
 public:
  /// Both must outlive the object.
  JobCommands(const flow::Build& build, ClusterPaths paths);

  /// \param index  of the shard, or the place that a script fills
  std::vector<std::string> of_shard(const flow::StageInfo& stage, std::uint32_t count, std::string index,
                                    std::int64_t threads) const;
  /// The first part of a stage whose `prepare` fills what its tasks read.
  std::vector<std::string> of_prepare(const flow::StageInfo& stage, std::int64_t threads) const;
  /// \param count  of shards to merge; 0 for a stage that is not cut, which the job runs as a whole
  std::vector<std::string> of_merge(const flow::StageInfo& stage, std::uint32_t count, std::int64_t threads) const;

 private:
  std::vector<std::string> of_build(const flow::StageInfo& stage, const std::vector<std::string>& executor,
                                    std::int64_t threads) const;
  std::vector<std::string> common_words(std::int64_t threads) const;

  const flow::Build& build_;
  ClusterPaths paths_;
};

}  // namespace touchstone::pipeline::cluster
