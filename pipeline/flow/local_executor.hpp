#pragma once

#include "pipeline/flow/shard_manifest.hpp"
#include "pipeline/flow/stage.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace touchstone::pipeline::flow {

/// Where and as what the parts of a stage are kept until it is done.
struct ShardedRun {
  std::filesystem::path shards;  ///< folder of the shards
  ShardRun run;
  std::uint32_t count = 1;  ///< of shards; each has neighbouring cuts
  bool merge_only = false;  ///< others map: a shard that is not whole is an error
};

/// Runs a stage in this process: one shard after the other, the cuts of a shard in all threads of the context; then
/// verifies all shards and merges their parts. After a kill, shards that are whole do not run again. Logs a sentence
/// for each that is there and not whole. Throws StorageError for a shard that is changed while it runs, and what the
/// stage throws.
StageReport run_stage(const StageInfo& info, WriteContext& context, const ShardedRun& sharded);

/// Maps the cuts of one shard, which others may do too at the same time (ShardAttempt). Reads the store only. False if
/// the shard was whole already. For a stage with tasks ahead, the shard is a share of the work. Throws ConfigError for
/// a stage that has neither, and what the stage throws. \param attempt  a name that no other attempt has
bool run_shard(const StageInfo& info, WriteContext& context, const ShardedRun& sharded, std::uint32_t index,
               const std::string& attempt);

/// Runs a stage whose parts are of no use to anyone else: nothing is left of them.
StageReport run_stage(const StageInfo& info, WriteContext& context);

}  // namespace touchstone::pipeline::flow
