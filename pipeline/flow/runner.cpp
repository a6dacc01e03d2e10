#include "pipeline/flow/runner.hpp"

#include "common/digest.hpp"
#include "common/disk_watch.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/scratch_folder.hpp"
#include "common/system_failure.hpp"
#include "common/version.hpp"
#include "pipeline/flow/disk_options.hpp"
#include "pipeline/flow/local_executor.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>

namespace touchstone::pipeline::flow {
namespace {

using storage::Durability;
using storage::Family;
using State = StageManifest::State;
}  // namespace

struct Runner::Impl {
  const StageGraph& graph;
  const Settings& settings;
  RunOptions run;
  WorkPaths paths;
  std::unique_ptr<storage::Store> store;
  std::optional<std::vector<SourceRecord>> given;
  RunObjects objects;

  Impl(const StageGraph& stages, const Settings& values, RunOptions how)
      : graph(stages), settings(values), run(std::move(how)), paths{run.work} {}

  std::string meta(std::string_view key) const {
    std::string value;
    store->get(Family::kMeta, key, value);
    return value;
  }
  void put_meta(std::string_view key, std::string_view value) {
    storage::Batch batch;
    batch.put(Family::kMeta, key, value);
    store->write(batch, Durability::kMachine);
  }
  static std::string manifest_key(const StageInfo& stage) {
    return std::string(storage::kMetaStagePrefix) + std::string(stage.name);
  }
  StageManifest manifest(std::string_view stage) const {
    const std::string text = meta(std::string(storage::kMetaStagePrefix) + std::string(stage));
    return text.empty() ? StageManifest{} : decode_manifest(text);
  }
  void keep(const StageInfo& stage, const StageManifest& manifest) {
    put_meta(manifest_key(stage), encode_manifest(manifest));
  }

  /// What the stages before `stage` handed on. Their fingerprints do not say it all: a judge that is asked again gives
  /// other answers to the same questions.
  std::string input_of(const StageInfo& stage) const {
    std::string input;
    for (const auto* need : graph.needs(stage)) input += manifest(need->name).output + " ";
    return input;
  }

  /// Throws StorageError unless all files that the stage reads are as the stages before it wrote them.
  void check_inputs(const StageInfo& stage) const {
    const StageInfo* const last[] = {&stage};
    for (const auto* before : graph.closure(last)) {
      if (before == &stage) continue;
      const auto record = manifest(before->name);
      for (const auto& input : stage.inputs) {
        const bool is_path = input.kind == Artifact::Kind::kFile || input.kind == Artifact::Kind::kFolder;
        const bool from_before =
            std::find(before->outputs.begin(), before->outputs.end(), input) != before->outputs.end();
        if (is_path && from_before) check_files(*before, record, paths, input.name);
      }
    }
  }

  /// The sources of this run, looked at once, and what the store knows of them.
  const std::vector<SourceRecord>& sources_now() {
    if (!given) {
      given.emplace();
      for (const auto& source : run.sources) given->push_back(look_at_source(source, graph.stages()));
      given = compare_sources(std::move(*given), decode_sources(meta(storage::kMetaSources)));
    }
    return *given;
  }

  /// Notes where files were found again, so that they need not be read to be recognised the next time.
  void remember_sources() {
    if (run.sources.empty() || meta(storage::kMetaSources).empty()) return;
    const auto recorded = decode_sources(meta(storage::kMetaSources));
    const auto& now = sources_now();
    if (identity_of_sources(now) == identity_of_sources(recorded) && encode_sources(now) != encode_sources(recorded))
      put_meta(storage::kMetaSources, encode_sources(now));
  }

  std::string fingerprint_of(const StageInfo& stage, const std::map<const StageInfo*, std::string>& before) {
    Sha256 digest;
    digest.update_field(stage.name).update_field(std::to_string(stage.format_version));
    digest.update_field(settings.fingerprint(groups_of(stage)));
    if (stage.extra_fingerprint != nullptr) digest.update_field(stage.extra_fingerprint(settings));
    if (reads_sources(stage)) {
      digest.update_field(std::to_string(storage::kSchemaVersion));
      digest.update_field(identity_of_sources(sources_now()));
    }
    for (const auto* need : graph.needs(stage)) digest.update_field(before.at(need));
    return digest.hex();
  }

  std::vector<StagePlan> plan(std::span<const StageInfo* const> chosen) {
    std::map<const StageInfo*, std::string> fingerprints;
    std::map<const StageInfo*, bool> will_run;
    std::vector<StagePlan> plans;
    for (const auto* stage : graph.closure(chosen)) {
      StagePlan plan;
      plan.stage = stage;
      plan.fingerprint = fingerprints[stage] = fingerprint_of(*stage, fingerprints);
      plan.manifest = manifest(stage->name);
      decide(plan, will_run);
      const bool is_chosen = std::find(chosen.begin(), chosen.end(), stage) != chosen.end();
      if (is_chosen && !plan.run) decide_again(plan);
      will_run[stage] = plan.run;
      if (is_chosen) {
        plans.push_back(std::move(plan));
      } else if (plan.run) {
        throw ConfigError(fmt::format(
            "stage {} needs stage {}, which must run first ({}): run touchstone {} or touchstone build with the same "
            "--work",
            chosen.front()->name, stage->name, plan.why, stage->name));
      }
    }
    return plans;
  }

  /// Whether what is there makes the stage run.
  void decide(StagePlan& plan, const std::map<const StageInfo*, bool>& will_run) const {
    const auto& manifest = plan.manifest;
    const auto run_because = [&](std::string why) {
      plan.run = true;
      plan.why = std::move(why);
    };
    for (const auto* need : graph.needs(*plan.stage)) {
      if (will_run.at(need)) run_because("stage " + std::string(need->name) + " runs before it");
    }
    if (manifest.state == State::kNone) return run_because("never run");
    if (manifest.fingerprint != plan.fingerprint) {
      plan.run = true;
      if (plan.why.empty()) plan.why = "its input, options or format changed";
      return;
    }
    if (manifest.state == State::kStarted) return run_because("started before; resumes");
    if (plan.run) return;
    plan.why = "done";
    if (manifest.input != input_of(*plan.stage)) run_because("what it reads changed");
    if (const auto file = changed_file(manifest, paths); !file.empty()) run_because(file + " is missing or changed");
  }

  /// Whether the user wants a stage to run that is done.
  void decide_again(StagePlan& plan) const {
    if (run.ask_again && plan.stage->can_ask_again) {
      plan.run = true;
      plan.why = "asks again for what has no grade";
    } else if (run.force) {
      plan.run = true;
      plan.why = "--force";
    }
  }

  /// Empties what a stage left before, so that it can start anew.
  void start_anew(const StagePlan& plan, StageManifest& manifest) {
    const StageInfo& stage = *plan.stage;
    manifest = {};
    manifest.state = State::kStarted;
    manifest.fingerprint = plan.fingerprint;
    manifest.program_version = program_version();
    keep(stage, manifest);
    kill_point("runner.clear");
    if (stage.resumes_parts) drop_shards(stage);
    store->clear(families_of(stage));
    storage::Batch batch;
    if (!stage.resume_key.empty()) batch.erase(Family::kMeta, stage.resume_key);
    if (reads_sources(stage) && !run.sources.empty())
      batch.put(Family::kMeta, storage::kMetaSources, encode_sources(sources_now()));
    store->write(batch, Durability::kMachine);
    manifest.cleared = true;
    keep(stage, manifest);
  }

  Provenance provenance_of(const StageInfo& stage) const {
    Provenance provenance;
    const StageInfo* const last[] = {&stage};
    std::vector<const OptionGroup*> groups;
    for (const auto* before : graph.closure(last)) {
      for (const auto& use : before->options) groups.push_back(use.group);
      if (before != &stage) provenance.stages.push_back({std::string(before->name), manifest(before->name).report});
    }
    for (std::size_t i = 0; i < settings.size(); ++i) {
      const bool read = std::find(groups.begin(), groups.end(), &settings.group(i)) != groups.end();
      if (read && settings.row(i).effect == OptionEffect::kOutput)
        provenance.options.push_back({std::string(settings.row(i).key), settings.value_text(i)});
    }
    return provenance;
  }

  /// The sources as the stage gets them: those of this run, else those remembered.
  std::vector<SourceInput> sources() const {
    if (!run.sources.empty()) return run.sources;
    std::vector<SourceInput> inputs;
    for (const auto& source : decode_sources(meta(storage::kMetaSources))) inputs.push_back({source.path, source.kind});
    return inputs;
  }

  /// What shards of the stage have in common that were made from what is there now.
  ShardRun shard_run(const StageInfo& stage) const {
    Sha256 options, inputs;
    const StageInfo* const last[] = {&stage};
    for (const auto* before : graph.closure(last)) {
      options.update_field(before->name).update_field(std::to_string(before->format_version));
      options.update_field(settings.fingerprint(groups_of(*before)));
      if (before->extra_fingerprint != nullptr) options.update_field(before->extra_fingerprint(settings));
    }
    inputs.update_field(std::to_string(storage::kSchemaVersion)).update_field(input_of(stage));
    inputs.update_field(identity_of_sources(decode_sources(meta(storage::kMetaSources))));
    return {std::string(stage.name), options.hex(), inputs.hex(), program_version()};
  }

  ShardedRun sharded_run(const StageInfo& stage) const {
    return {paths.shards(stage.name), shard_run(stage), run.shards, run.part == RunPart::kMerge};
  }

  /// Calls `use` with what the stage reads and writes with.
  template <class Use>
  auto with_context(const StagePlan& plan, const StopFlag& stop, const Use& use,
                    const std::filesystem::path& scratch = {}) {
    const StageInfo& stage = *plan.stage;
    ProgressCounters counters;
    const ProgressReporter reporter(std::string(stage.name), counters, std::string(stage.progress_unit),
                                    std::string(stage.progress_records), run.progress);
    // Else TBB allows no more threads than cores, and writes a warning on standard error.
    const auto threads = std::max(run.threads, oneapi::tbb::info::default_concurrency());
    const oneapi::tbb::global_control allowed(oneapi::tbb::global_control::max_allowed_parallelism,
                                              static_cast<std::size_t>(threads));
    const DiskWatch disk(paths.root, settings.get<DiskOptions>().keep_free_bytes(), stop);
    WriteContext context(stage,
                         {settings, paths, *store, disk.stop(), counters, objects, sources(), provenance_of(stage),
                          plan.fingerprint, run.threads, run.ask_again && stage.can_ask_again,
                          run.part == RunPart::kMerge || !scratch.empty(), scratch, run.shards});
    store->take_use();
    auto result = disk.run([&] { return use(context); });
    check_store_use(stage, store->take_use());
    return result;
  }

  /// Removes the shards of a stage, which only it needs. What cannot be removed is in no one's way.
  void drop_shards(const StageInfo& stage) const {
    std::error_code ignored;
    std::filesystem::remove_all(paths.shards(stage.name), ignored);
    std::filesystem::remove(paths.shards(stage.name).parent_path(), ignored);  // unless another stage has shards there
  }

  static bool is_begun(const StagePlan& plan) {
    return plan.manifest.state == State::kStarted && plan.manifest.cleared &&
           plan.manifest.fingerprint == plan.fingerprint;
  }

  void run_stage(const StagePlan& plan, const StopFlag& stop) {
    const StageInfo& stage = *plan.stage;
    check_inputs(stage);
    StageManifest manifest = plan.manifest;
    const bool resume = is_begun(plan) && !run.force;
    if (!resume && stage.check_sources != nullptr)
      stage.check_sources({settings, paths, *store, stop, run.threads}, sources(), run.replace);
    if (run.force) drop_shards(stage);
    if (!resume) start_anew(plan, manifest);
    log_info("{}: {} ({})", stage.name, stage.summary, plan.why);
    if (run.part == RunPart::kPrepare) {
      with_context(plan, stop, [&](WriteContext& context) { return stage.make()->prepare(context), true; });
      manifest.prepared = true;
      store->checkpoint();
      keep(stage, manifest);
      return log_info("{}: prepared for those who map it", stage.name);
    }
    const UsedResources used;
    const auto sharded = sharded_run(stage);
    manifest.report =
        with_context(plan, stop, [&](WriteContext& context) { return flow::run_stage(stage, context, sharded); });
    manifest.seconds = used.seconds();
    manifest.cpu_seconds = used.cpu_seconds();
    manifest.peak_memory = peak_memory_bytes();
    manifest.part_bytes = bytes_below(paths.shards(stage.name));
    record_files(stage, paths, manifest);
    manifest.input = input_of(stage);
    kill_point("runner.before_done");
    store->checkpoint();
    manifest.state = State::kDone;
    manifest.prepared = false;
    keep(stage, manifest);
    kill_point("runner.done");
    drop_shards(stage);
    log_result(stage.name, manifest);
  }
};

Runner::Runner(const StageGraph& graph, const Settings& settings, RunOptions run, storage::Access access)
    : impl_(std::make_unique<Impl>(graph, settings, std::move(run))) {
  if (access == storage::Access::kReadWrite) {
    std::error_code error;
    std::filesystem::create_directories(impl_->paths.stages(), error);
    if (error) throw StorageError(failure_text("make folder", impl_->paths.stages(), error));
  }
  impl_->store = storage::Store::open(impl_->paths.store(), access);
}
Runner::~Runner() = default;

std::vector<StagePlan> Runner::plan(std::span<const StageInfo* const> chosen) {
  return impl_->plan(chosen);
}

void Runner::run(std::span<const StageInfo* const> chosen, const StopFlag& stop) {
  const auto plans = impl_->plan(chosen);
  const std::string config = impl_->settings.remembered();
  if (impl_->meta(storage::kMetaConfig) != config) impl_->put_meta(storage::kMetaConfig, config);
  impl_->remember_sources();
  for (const auto& plan : plans) {
    if (!plan.run) {
      log_info("{}: done before, nothing changed", plan.stage->name);
      impl_->drop_shards(*plan.stage);
    } else {
      stop.check();
      impl_->run_stage(plan, stop);
    }
    impl_->graph.check_topics(*plan.stage, impl_->manifest(plan.stage->name).report, chosen);
  }
}

bool Runner::run_shard(const StageInfo& stage, std::uint32_t index, const std::string& attempt, const StopFlag& stop) {
  const auto plan = impl_->plan(std::array{&stage}).front();
  if (!plan.run) return false;
  impl_->check_inputs(stage);
  if (!is_prepared(stage))
    throw ConfigError(fmt::format("stage {} is not prepared; run touchstone build --from {} --to {} --executor prepare",
                                  stage.name, stage.name, stage.name));
  const auto sharded = impl_->sharded_run(stage);
  const ScratchFolder scratch("shard");  // not on the disk that tasks share
  return impl_->with_context(
      plan, stop, [&](WriteContext& context) { return flow::run_shard(stage, context, sharded, index, attempt); },
      scratch.path());
}

bool Runner::is_prepared(const StageInfo& stage) {
  const auto plan = impl_->plan(std::array{&stage}).front();
  return !stage.prepares || (plan.manifest.prepared && Impl::is_begun(plan));
}

std::size_t Runner::cuts_of(const StageInfo& stage, const StopFlag& stop) {
  if (!stage.is_cut) return 0;
  return impl_->with_context(impl_->plan(std::array{&stage}).front(), stop,
                             [&](WriteContext& context) { return stage.make()->plan(context).size(); });
}

std::vector<ShardFinding> Runner::missing_shards(const StageInfo& stage) const {
  const auto sharded = impl_->sharded_run(stage);
  return shards_to_run(sharded.shards, sharded.run, sharded.count);
}

StageManifest Runner::manifest(std::string_view stage) const {
  return impl_->manifest(stage);
}
std::vector<SourceRecord> Runner::recorded_sources() const {
  return decode_sources(impl_->meta(storage::kMetaSources));
}
storage::Store& Runner::store() {
  return *impl_->store;
}
const WorkPaths& Runner::paths() const {
  return impl_->paths;
}

std::string Runner::stored_config(const std::filesystem::path& work) {
  const WorkPaths paths{work};
  if (!storage::Store::exists(paths.store())) return {};
  std::string text;
  storage::Store::open(paths.store(), storage::Access::kReadOnly)->get(Family::kMeta, storage::kMetaConfig, text);
  return text;
}

}  // namespace touchstone::pipeline::flow
