#pragma once

#include "common/progress.hpp"
#include "pipeline/flow/shard_manifest.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/stage_graph.hpp"
#include "pipeline/flow/stage_manifest.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::flow {

/// What a run would do with a stage.
struct StagePlan {
  const StageInfo* stage = nullptr;
  bool run = false;
  std::string why;  ///< "done", "never run", "stage groups runs before it" ...
  StageManifest manifest;
  std::string fingerprint;

  /// "done", "out of date", "not finished" or "never run".
  std::string_view state_text() const {
    if (manifest.state == StageManifest::State::kNone) return "never run";
    if (manifest.state == StageManifest::State::kStarted) return "not finished";
    return run ? "out of date" : "done";
  }
};

/// What a process does of a stage that others share with it.
enum class RunPart : std::uint8_t {
  kAll,
  kPrepare,  ///< only what others need to map
  kMerge     ///< others made the shards; one that is not whole is an error
};

struct RunOptions {
  std::filesystem::path work;
  std::vector<SourceInput> sources;  ///< files of pages; empty: those that the store remembers
  int threads = 1;
  ProgressMode progress = ProgressMode::kAuto;
  bool force = false;        ///< run the chosen stages even when they are done
  bool replace = false;      ///< sources of another wiki, or older ones, may replace what is there
  bool ask_again = false;    ///< run the chosen stages that can try once more what failed
  std::uint32_t shards = 1;  ///< into how many parts stages are cut that can be; output does not depend on it
  RunPart part = RunPart::kAll;
};

/// A work directory with its store, and the one way to run stages in it.
class Runner {
 public:
  /// Opens (for `access` read-write: creates) the work directory. `graph` and `settings` must outlive the runner.
  Runner(const StageGraph& graph, const Settings& settings, RunOptions run, storage::Access access);
  ~Runner();

  /// What running these stages of the graph, given in its order, would do. Throws ConfigError when a stage that one of
  /// them needs would have to run and is not among them.
  std::vector<StagePlan> plan(std::span<const StageInfo* const> chosen);

  /// Runs what the plan says. Throws Interrupted (status 3) after a clean stop.
  void run(std::span<const StageInfo* const> chosen, const StopFlag& stop);

  /// Maps one of the run's shards of a stage. The store may be open for reading only, and others may map the same shard
  /// at the same time. False if it was whole already. Throws ConfigError when a stage before has to run first, or this
  /// one is not cut.
  /// \param attempt  a name that no other attempt has
  bool run_shard(const StageInfo& stage, std::uint32_t index, const std::string& attempt, const StopFlag& stop);
  /// Whether others can map the shards of a stage. The stages before it must be done.
  bool is_prepared(const StageInfo& stage);
  /// Number of cuts of a stage that shards may share, 0 if it has none. The stages before it must be done.
  std::size_t cuts_of(const StageInfo& stage, const StopFlag& stop);
  /// The run's shards of a stage that are not whole.
  std::vector<ShardFinding> missing_shards(const StageInfo& stage) const;

  StageManifest manifest(std::string_view stage) const;
  std::vector<SourceRecord> recorded_sources() const;
  storage::Store& store();
  const WorkPaths& paths() const;

  /// The options that the last run in this work directory used, as TOML; empty when there was none.
  static std::string stored_config(const std::filesystem::path& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::pipeline::flow
