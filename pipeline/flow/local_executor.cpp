#include "pipeline/flow/local_executor.hpp"

#include "common/log.hpp"
#include "common/stop.hpp"

#include <fmt/format.h>

namespace touchstone::pipeline::flow {
namespace {

void make_shard(const ShardedRun& sharded, Shard shard, const InContext& in_context) {
  ShardWriter writer(sharded.shards, sharded.run, shard);
  ShardCounts counts;
  in_context(shard, [&](StageContext& context) {
    context.stop.check();
    kill_point("shard.begun");
    counts = sharded.stage.make()->run_shard(context, writer);
    context.stop.check();
  });
  kill_point("shard.before_manifest");
  writer.finish(counts);
  log_info("{}: shard {} of {} is whole", sharded.stage.name, shard.index + 1, shard.count);
}

}  // namespace

StageReport run_in_shards(const ShardedRun& sharded, const InContext& in_context) {
  const auto to_run = shards_to_run(sharded.shards, sharded.run, sharded.count);
  for (const auto& finding : to_run) {
    // None is there before the first run.
    if (to_run.size() == sharded.count && finding.state == ShardState::kMissing) continue;
    log_line(LogLevel::kWarn, fmt::format("{}: {}", sharded.stage.name, shard_sentence(finding)));
  }
  for (const auto& finding : to_run) make_shard(sharded, finding.shard, in_context);
  kill_point("shards.before_merge");
  std::vector<WholeShard> whole;
  for (std::uint32_t index = 0; index < sharded.count; ++index) {
    const Shard shard{index, sharded.count};
    whole.push_back({shard_folder(sharded.shards, shard), read_shard(sharded.shards, sharded.run, shard).counts});
  }
  StageReport report;
  in_context({}, [&](StageContext& context) { report = sharded.stage.make()->merge(context, whole); });
  return report;
}

}  // namespace touchstone::pipeline::flow
