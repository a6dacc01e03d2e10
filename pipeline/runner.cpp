#include "pipeline/runner.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/version.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include <nlohmann/json.hpp>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <sys/stat.h>

namespace touchstone::pipeline {
namespace {

using Json = nlohmann::ordered_json;
using storage::Durability;
using storage::Family;

std::string encode_manifest(const StageManifest& manifest) {
  Json json;
  json["state"] = manifest.state == StageManifest::State::kDone ? "done" : "started";
  json["cleared"] = manifest.cleared;
  json["fingerprint"] = manifest.fingerprint;
  json["program"] = manifest.program_version;
  json["counts"] = manifest.report.counts;
  json["rejected"] = manifest.report.rejected;
  json["samples"] = manifest.report.samples;
  json["warnings"] = manifest.report.warnings;
  json["seconds"] = manifest.seconds;
  json["peak_memory"] = manifest.peak_memory;
  json["file_bytes"] = manifest.file_bytes;
  json["output"] = manifest.output;
  json["input"] = manifest.input;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

StageManifest decode_manifest(const std::string& text) {
  StageManifest manifest;
  try {
    const Json json = Json::parse(text);
    manifest.state = json.at("state") == "done" ? StageManifest::State::kDone : StageManifest::State::kStarted;
    manifest.cleared = json.at("cleared");
    manifest.fingerprint = json.at("fingerprint");
    manifest.program_version = json.at("program");
    manifest.report.counts = json.at("counts").get<std::map<std::string, std::uint64_t>>();
    manifest.report.rejected = json.at("rejected").get<std::map<std::string, std::uint64_t>>();
    manifest.report.samples = json.at("samples").get<std::map<std::string, std::vector<std::string>>>();
    manifest.report.warnings = json.at("warnings").get<std::vector<std::string>>();
    manifest.seconds = json.at("seconds");
    manifest.peak_memory = json.at("peak_memory");
    manifest.file_bytes = json.at("file_bytes").get<std::map<std::string, std::uint64_t>>();
    manifest.output = json.at("output");
    manifest.input = json.at("input");
  } catch (const Json::exception& error) {
    throw StorageError(std::string("the store's record of a stage cannot be read (") + error.what() +
                       "); remove the work directory and build it again");
  }
  return manifest;
}

/// Name, size and time of a dump file; nothing of its content is read. Standard input cannot be looked at twice: each
/// naming of it is another dump, told apart by the time.
DumpRecord look_at(const std::filesystem::path& path) {
  DumpRecord dump;
  dump.path = path.string();
  if (path == "-") {
    dump.name = "-";
    dump.modified_ns = std::chrono::system_clock::now().time_since_epoch().count();
    return dump;
  }
  dump.name = path.filename().string();
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    throw StorageError("cannot open dump " + path.string() + ": " + std::generic_category().message(errno));
  }
  dump.bytes = static_cast<std::uint64_t>(info.st_size);
  dump.modified_ns = static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec;
  return dump;
}

bool same_file(const DumpRecord& a, const DumpRecord& b) {
  return a.path != "-" && a.name == b.name && a.bytes == b.bytes && a.modified_ns == b.modified_ns;
}

}  // namespace

std::string effective_config(const OptionSet& options) {
  std::string text;
  for (std::size_t i = 0; i < options.rows().size(); ++i) {
    const auto& row = options.rows()[i];
    if (row.affects_output || row.remembered) text += std::string(row.key) + " = " + options.value_text(i) + "\n";
  }
  return text;
}

std::string encode_dumps(const std::vector<DumpRecord>& dumps) {
  Json list = Json::array();
  for (const auto& dump : dumps) {
    list.push_back({{"path", dump.path},
                    {"name", dump.name},
                    {"bytes", dump.bytes},
                    {"modified_ns", dump.modified_ns},
                    {"sha256", dump.sha256}});
  }
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<DumpRecord> decode_dumps(std::string_view text) {
  std::vector<DumpRecord> dumps;
  if (text.empty()) return dumps;
  try {
    for (const auto& json : Json::parse(text)) {
      dumps.push_back({json.at("path"), json.at("name"), json.at("bytes"), json.at("modified_ns"), json.at("sha256")});
    }
  } catch (const Json::exception& error) {
    throw StorageError(std::string("the store's list of dumps cannot be read (") + error.what() +
                       "); remove the work directory and build it again");
  }
  return dumps;
}

struct Runner::Impl {
  Impl(const Config& settings, const OptionSet& bound, RunOptions how)
      : config(settings),
        options(bound),
        run(std::move(how)),
        budget({settings.judge.max_cost, static_cast<std::uint64_t>(settings.judge.max_calls),
                static_cast<std::uint64_t>(settings.judge.max_total_tokens)}) {}

  const Config& config;
  const OptionSet& options;
  RunOptions run;
  WorkPaths paths;
  std::unique_ptr<storage::Store> store;
  std::vector<DumpRecord> given;
  llm_client::Budget budget;

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
  std::string stage_key(std::string_view name) const { return std::string(kMetaStagePrefix) + std::string(name); }
  StageManifest manifest(std::string_view name) const {
    const std::string text = meta(stage_key(name));
    return text.empty() ? StageManifest{} : decode_manifest(text);
  }

  /// What the stages before `stage` handed on. Their fingerprints do not say it all: a judge that is asked again gives
  /// other answers to the same questions.
  std::string input_of(const StageInfo& stage) const {
    std::string input;
    for (const auto need : stage.needs) input += manifest(need).output + " ";
    return input;
  }

  /// Digest of a stage's files in the work directory's `stages` folder.
  std::string output_of(const StageInfo& stage) const {
    Sha256 digest;
    for (const auto file : stage.files) {
      if (file.starts_with("stages/")) digest.update_field(sha256_file(paths.root / file));
    }
    return digest.hex();
  }

  /// The dumps named on the command line, looked at once.
  const std::vector<DumpRecord>& given_dumps() {
    if (given.empty()) {
      for (const auto& path : run.dumps) given.push_back(look_at(path));
    }
    return given;
  }

  /// What identifies the input of ingest. A file that was only moved or touched is recognised by its digest.
  std::string dumps_identity() {
    const auto recorded = decode_dumps(meta(kMetaDumps));
    auto dumps = given_dumps();
    for (std::size_t i = 0; i < dumps.size() && i < recorded.size(); ++i) {
      const bool worth_reading =
          dumps[i].path != "-" && dumps[i].bytes == recorded[i].bytes && !recorded[i].sha256.empty();
      if (!worth_reading || same_file(dumps[i], recorded[i])) continue;
      log_info("{}: same size as the dump that was ingested; comparing its digest", dumps[i].name);
      if (sha256_file(dumps[i].path) == recorded[i].sha256) dumps[i] = recorded[i];
    }
    if (dumps.empty()) dumps = recorded;
    std::string identity;
    for (const auto& dump : dumps) {
      const std::uint64_t bytes = dump.path == "-" ? 0 : dump.bytes;  // known only once it was read
      identity += dump.name + "\n" + std::to_string(bytes) + "\n" + std::to_string(dump.modified_ns) + "\n";
    }
    return identity;
  }

  std::vector<StagePlan> plan(std::string_view first, std::string_view last) {
    std::map<std::string_view, std::string> fingerprints;
    std::map<std::string_view, bool> will_run;
    std::vector<StagePlan> plans;
    bool in_range = false, past = false;
    for (const auto& stage : stage_table()) {
      if (stage.name == first) in_range = true;
      Sha256 digest;
      digest.update_field(stage.name).update_field(std::to_string(stage.format_version));
      digest.update_field(options.fingerprint(stage.options));
      if (stage.extra_fingerprint != nullptr) digest.update_field(stage.extra_fingerprint(config));
      if (stage.name == "ingest")
        digest.update_field(std::to_string(storage::kSchemaVersion)).update_field(dumps_identity());
      for (const auto need : stage.needs) digest.update_field(fingerprints.at(need));
      StagePlan plan;
      plan.stage = &stage;
      plan.fingerprint = fingerprints[stage.name] = digest.hex();
      plan.manifest = manifest(stage.name);
      decide(plan, will_run);
      const bool chosen = in_range && !past;
      if (chosen && run.ask_unjudged_again && stage.name == "judge" && !plan.run) {
        plan.run = true;
        plan.why = "asks again for what has no grade";
      }
      if (chosen && run.force && !plan.run) {
        plan.run = true;
        plan.why = "--force";
      }
      will_run[stage.name] = plan.run;
      if (chosen) {
        plans.push_back(std::move(plan));
      } else if (!past && plan.run && needed_by_range(stage.name, first, last)) {
        throw ConfigError("stage " + std::string(first) + " needs stage " + std::string(stage.name) +
                          ", which must run first (" + plan.why + "): run touchstone " + std::string(stage.name) +
                          " or touchstone build with the same --work");
      }
      if (stage.name == last) past = true;
    }
    return plans;
  }

  bool needed_by_range(std::string_view name, std::string_view first, std::string_view last) const {
    bool in_range = false;
    for (const auto& stage : stage_table()) {
      in_range = in_range || stage.name == first;
      if (in_range && depends_on(stage, name)) return true;
      if (stage.name == last) break;
    }
    return false;
  }
  bool depends_on(const StageInfo& stage, std::string_view name) const {
    for (const auto need : stage.needs) {
      if (need == name || depends_on(*find_stage(need), name)) return true;
    }
    return false;
  }

  void decide(StagePlan& plan, const std::map<std::string_view, bool>& will_run) const {
    const auto& manifest = plan.manifest;
    for (const auto need : plan.stage->needs) {
      if (will_run.at(need)) {
        plan.run = true;
        plan.why = "stage " + std::string(need) + " runs before it";
      }
    }
    if (manifest.state == StageManifest::State::kNone) {
      plan.run = true;
      plan.why = "never run";
    } else if (manifest.fingerprint != plan.fingerprint) {
      plan.run = true;
      if (plan.why.empty()) plan.why = "its input, options or format changed";
    } else if (manifest.state == StageManifest::State::kStarted) {
      plan.run = true;
      plan.why = "begun before; goes on";
    } else if (!plan.run) {
      plan.why = "done";
      if (manifest.input != input_of(*plan.stage)) {
        plan.run = true;
        plan.why = "what it reads changed";
      }
      for (const auto& [file, bytes] : manifest.file_bytes) {
        std::error_code error;
        if (std::filesystem::file_size(paths.root / file, error) != bytes || error) {
          plan.run = true;
          plan.why = file + " is missing or changed";
          break;
        }
      }
    }
  }

  void run_stage(const StagePlan& plan, const StopFlag& stop) {
    const StageInfo& info = *plan.stage;
    StageManifest manifest = plan.manifest;
    const bool resume = manifest.state == StageManifest::State::kStarted && manifest.cleared &&
                        manifest.fingerprint == plan.fingerprint && !run.force;
    if (!resume) {
      manifest = {};
      manifest.state = StageManifest::State::kStarted;
      manifest.fingerprint = plan.fingerprint;
      manifest.program_version = program_version();
      put_meta(stage_key(info.name), encode_manifest(manifest));
      kill_point("runner.clear");
      store->clear(info.families);
      if (info.name == "ingest") {
        storage::Batch batch;
        batch.erase(Family::kMeta, kMetaIngestProgress);
        if (!run.dumps.empty()) batch.put(Family::kMeta, kMetaDumps, encode_dumps(given_dumps()));
        store->write(batch, Durability::kMachine);
      }
      manifest.cleared = true;
      put_meta(stage_key(info.name), encode_manifest(manifest));
    }
    log_info("{}: {} ({})", info.name, info.summary, plan.why);

    ProgressCounters counters;
    const auto start = std::chrono::steady_clock::now();
    {
      std::vector<DumpInput> dumps;
      if (run.dumps.empty()) {
        for (const auto& dump : decode_dumps(meta(kMetaDumps))) dumps.push_back({dump.path});
      }
      for (const auto& path : run.dumps) dumps.push_back({path});
      const ProgressReporter reporter(std::string(info.name), counters, std::string(info.progress_unit),
                                      std::string(info.progress_records), run.progress);
      StageContext context{config,
                           options,
                           paths,
                           *store,
                           dumps,
                           stop,
                           counters,
                           run.threads,
                           plan.fingerprint,
                           budget,
                           run.ask_unjudged_again && info.name == "judge"};
      // Else TBB allows no more threads than cores, and writes a warning on standard error.
      const auto threads = std::max(run.threads, oneapi::tbb::info::default_concurrency());
      const oneapi::tbb::global_control allowed(oneapi::tbb::global_control::max_allowed_parallelism,
                                                static_cast<std::size_t>(threads));
      manifest.report = info.make()->run(context);
    }
    manifest.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    manifest.peak_memory = peak_memory_bytes();
    for (const auto file : info.files)
      manifest.file_bytes[std::string(file)] = std::filesystem::file_size(paths.root / file);
    manifest.output = output_of(info);
    manifest.input = input_of(info);
    kill_point("runner.before_done");
    store->checkpoint();
    manifest.state = StageManifest::State::kDone;
    put_meta(stage_key(info.name), encode_manifest(manifest));

    std::string counts;
    for (const auto& [name, count] : manifest.report.counts)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, name);
    for (const auto& [reason, count] : manifest.report.rejected)
      counts += fmt::format(", {} {}{}", count, reason.starts_with("kept") ? "" : "left out: ", reason);
    log_info("{}: done in {:.1f} s, peak memory {} MB: {}", info.name, manifest.seconds,
             manifest.peak_memory / 1'000'000, counts);
    for (const auto& [reason, samples] : manifest.report.samples) {
      for (const auto& sample : samples) log_debug("{}: rejected ({}): {}", info.name, reason, sample);
    }
    for (const auto& warning : manifest.report.warnings)
      log_line(LogLevel::kWarn, fmt::format("{}: {}", info.name, warning));
  }
};

Runner::Runner(const Config& config, const OptionSet& options, RunOptions run, storage::Access access)
    : impl_(new Impl(config, options, std::move(run))) {
  impl_->paths.root = impl_->run.work;
  if (access == storage::Access::kReadWrite) {
    std::error_code error;
    std::filesystem::create_directories(impl_->paths.stages(), error);
    if (error) throw StorageError("cannot make folder " + impl_->paths.stages().string() + ": " + error.message());
  }
  impl_->store = storage::Store::open(impl_->paths.store(), access);
}
Runner::~Runner() = default;

std::vector<StagePlan> Runner::plan(std::string_view first, std::string_view last) {
  return impl_->plan(first, last);
}

void Runner::run(std::string_view first, std::string_view last, const StopFlag& stop) {
  const auto plans = impl_->plan(first, last);
  const std::string config_text = effective_config(impl_->options);
  if (impl_->meta(kMetaConfig) != config_text) impl_->put_meta(kMetaConfig, config_text);
  for (const auto& plan : plans) {
    if (!plan.run) {
      log_info("{}: done before, nothing changed", plan.stage->name);
      continue;
    }
    stop.check();
    impl_->run_stage(plan, stop);
  }
}

StageManifest Runner::manifest(std::string_view stage) const {
  return impl_->manifest(stage);
}
std::vector<DumpRecord> Runner::recorded_dumps() const {
  return decode_dumps(impl_->meta(kMetaDumps));
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
  storage::Store::open(paths.store(), storage::Access::kReadOnly)->get(Family::kMeta, kMetaConfig, text);
  return text;
}

}  // namespace touchstone::pipeline
