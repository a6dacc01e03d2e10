#pragma once

#include "pipeline/flow/stage.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace touchstone::pipeline::flow {

/// A stage that runs in shards.
struct ShardedRun {
  const StageInfo& stage;
  std::filesystem::path shards;  ///< folder of the shards
  ShardRun run;
  std::uint32_t count = 1;
};

/// Calls a function with the context of a shard, or of the whole for shard 0 of 1.
using InContext = std::function<void(Shard shard, const std::function<void(StageContext&)>& work)>;

/// Runs the shards that are not whole, one after the other in this process, each with all threads; then verifies all
/// and merges them. After a kill, shards that are whole do not run again. Logs a sentence for each that is there and
/// not whole. Throws StorageError for a shard that is changed while it runs, and what the stage throws.
StageReport run_in_shards(const ShardedRun& sharded, const InContext& in_context);

}  // namespace touchstone::pipeline::flow
