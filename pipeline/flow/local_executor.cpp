#include "pipeline/flow/local_executor.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/scratch_folder.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::flow {
namespace {

/// The cuts of a shard: numbers [first, end).
struct CutRange {
  std::size_t first = 0, end = 0;
};

CutRange cuts_of(Shard shard, std::size_t cuts) {
  return {cuts * shard.index / shard.count, cuts * (shard.index + 1) / shard.count};
}

void map_cuts(const Stage& stage, const ReadContext& context, const Cuts& cuts, CutRange range,
              const std::filesystem::path& folder) {
  tbb::task_arena(context.threads).execute([&] {
    tbb::parallel_for(range.first, range.end, [&](std::size_t i) {
      context.stop.check();
      stage.map(context, cuts[i], PartWriter(folder, i));
    });
  });
  context.stop.check();
}

std::string missing_text(const StageInfo& info, const std::vector<ShardFinding>& findings) {
  return fmt::format("stage {} cannot be merged, because {} of its {} shards are not whole; the first: {}", info.name,
                     findings.size(), findings.front().shard.count, shard_sentence(findings.front()));
}

/// A shard without parts says that the share was worked on to its end.
bool work_ahead(const StageInfo& info, WriteContext& context, const ShardedRun& sharded, Shard share,
                const std::string& attempt) {
  if (verify_shard(sharded.shards, sharded.run, share).state == ShardState::kWhole) return false;
  ShardAttempt writer(sharded.shards, sharded.run, share, attempt);
  kill_point("shard.begun");
  info.make()->work_ahead(context, share, attempt);
  kill_point("shard.before_manifest");
  return writer.finish();
}

/// Runs a stage that is not cut.
StageReport run_alone(const StageInfo& info, Stage& stage, WriteContext& context, const ShardedRun& sharded) {
  if (sharded.merge_only && info.tasks_ahead != nullptr && sharded.count > 1) {
    const auto missing = shards_to_run(sharded.shards, sharded.run, sharded.count);
    if (!missing.empty()) throw StorageError(missing_text(info, missing));
  }
  try {
    return stage.merge(context, {});
  } catch (const Interrupted& error) {
    // Who gives jobs out would take the status for a limit of time, and try again what needs a person.
    if (!sharded.merge_only || context.stop.requested()) throw;
    throw Error(error.what());
  }
}

}  // namespace

bool run_shard(const StageInfo& info, WriteContext& context, const ShardedRun& sharded, std::uint32_t index,
               const std::string& attempt) {
  if (info.tasks_ahead != nullptr) return work_ahead(info, context, sharded, {index, sharded.count}, attempt);
  if (!info.is_cut)
    throw ConfigError(fmt::format("stage {} is not cut into shards; run touchstone {}", info.name, info.name));
  const auto stage = info.make();
  const auto cuts = stage->plan(context);
  const Shard shard{index, sharded.count};
  if (verify_shard(sharded.shards, sharded.run, shard).state == ShardState::kWhole) return false;
  stage->open(context);
  ShardAttempt writer(sharded.shards, sharded.run, shard, attempt);
  kill_point("shard.begun");
  map_cuts(*stage, context, cuts, cuts_of(shard, cuts.size()), writer.folder());
  sync_files_below(writer.folder());
  kill_point("shard.before_manifest");
  return writer.finish();
}

StageReport run_stage(const StageInfo& info, WriteContext& context, const ShardedRun& sharded) {
  const auto stage = info.make();
  const auto cuts = stage->plan(context);
  if (cuts.empty()) return run_alone(info, *stage, context, sharded);
  const auto to_run = shards_to_run(sharded.shards, sharded.run, sharded.count);
  if (sharded.merge_only && !to_run.empty()) throw StorageError(missing_text(info, to_run));
  for (const auto& finding : to_run) {
    // None is there before the first run.
    if (to_run.size() == sharded.count && finding.state == ShardState::kMissing) continue;
    log_line(LogLevel::kWarn, fmt::format("{}: {}", info.name, shard_sentence(finding)));
  }
  if (!to_run.empty()) {
    stage->prepare(context);
    stage->open(context);
  }
  for (const auto& finding : to_run) {
    const bool goes_on = info.resumes_parts && finding.state == ShardState::kMissing;
    ShardWriter writer(sharded.shards, sharded.run, finding.shard,
                       goes_on ? EarlierParts::kKeep : EarlierParts::kRemove);
    kill_point("shard.begun");
    map_cuts(*stage, context, cuts, cuts_of(finding.shard, cuts.size()), writer.folder());
    sync_files_below(writer.folder());
    kill_point("shard.before_manifest");
    writer.finish();
    if (sharded.count > 1)
      log_info("{}: shard {} of {} is whole", info.name, finding.shard.index + 1, finding.shard.count);
  }
  kill_point("shards.before_merge");
  std::vector<std::filesystem::path> folders(cuts.size());
  for (std::uint32_t index = 0; index < sharded.count; ++index) {
    const Shard shard{index, sharded.count};
    const auto range = cuts_of(shard, cuts.size());
    for (auto i = range.first; i < range.end; ++i) folders[i] = shard_folder(sharded.shards, shard);
  }
  return stage->merge(context, Parts(std::move(folders)));
}

StageReport run_stage(const StageInfo& info, WriteContext& context) {
  const auto stage = info.make();
  const auto cuts = stage->plan(context);
  if (cuts.empty()) return stage->merge(context, {});
  const auto folder = ScratchFolder::at(context.scratch() / "parts-");
  stage->prepare(context);
  stage->open(context);
  map_cuts(*stage, context, cuts, {0, cuts.size()}, folder.path());
  return stage->merge(context, Parts(std::vector<std::filesystem::path>(cuts.size(), folder.path())));
}

}  // namespace touchstone::pipeline::flow
