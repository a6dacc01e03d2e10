#include "pipeline/cluster/stage_resources.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "common/version.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace touchstone::pipeline::cluster {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kTaskMegabytes = 2000, kMergeMegabytes = 4000, kMinutes = 60;  ///< without a forecast

std::int64_t megabytes_for(std::uint64_t bytes) {
  constexpr double kMargin = 4.0 / 3, kMega = 1e6;
  constexpr std::int64_t kBase = 200, kStep = 100;
  const auto wanted = kBase + static_cast<std::int64_t>(static_cast<double>(bytes) / kMega * kMargin);
  return (wanted + kStep - 1) / kStep * kStep;
}

std::int64_t minutes_for(double cpu_seconds, std::int64_t cpus) {
  constexpr double kMargin = 3, kMinute = 60;
  constexpr std::int64_t kBase = 10;  // for a disk and a queue that are slow
  return kBase + static_cast<std::int64_t>(std::ceil(cpu_seconds * kMargin / kMinute / static_cast<double>(cpus)));
}

/// What a forecast is of.
std::string digest_of(const flow::Build& build, const std::vector<flow::SourceInput>& sources) {
  Sha256 digest;
  digest.update_field(program_version()).update_field(build.settings.remembered());
  for (const auto* stage : build.stages) digest.update_field(stage->name);
  std::vector<flow::SourceRecord> records;
  for (const auto& source : sources) records.push_back(flow::look_at_source(source));
  return digest.update_field(flow::identity_of_sources(records)).hex();
}

std::vector<flow::SourceInput> sources_of(const flow::Build& build) {
  if (!build.run.sources.empty() || !storage::Store::exists(flow::WorkPaths{build.run.work}.store()))
    return build.run.sources;
  std::vector<flow::SourceInput> sources;
  const flow::Runner runner(build.graph, build.settings, build.run, storage::Access::kReadOnly);
  for (const auto& record : runner.recorded_sources()) sources.push_back({record.path, record.kind});
  return sources;
}

std::optional<forecast::Forecast> read_forecast(const std::filesystem::path& file, const std::string& digest) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    const Json json = parse_json(read_file(file));
    if (json.at("of") != digest) return std::nullopt;
    forecast::Forecast forecast;
    forecast.requests = json.at("requests");
    for (const auto& stage : json.at("stages"))
      forecast.stages.push_back({stage.at("stage"), stage.at("cpu_seconds"), stage.at("seconds"), stage.at("memory"),
                                 stage.at("part_bytes")});
    return forecast;
  } catch (const Json::exception&) {  // an edited file; it is made again
  } catch (const FormatError&) {
  }
  return std::nullopt;
}

void keep_forecast(const std::filesystem::path& file, const std::string& digest, const forecast::Forecast& forecast) {
  Json json{{"of", digest}, {"requests", forecast.requests}, {"stages", Json::array()}};
  for (const auto& stage : forecast.stages) {
    json["stages"].push_back({{"stage", stage.stage},
                              {"cpu_seconds", stage.cpu_seconds},
                              {"seconds", stage.seconds},
                              {"memory", stage.memory},
                              {"part_bytes", stage.part_bytes}});
  }
  write_file_atomically(file, json_text(json) + "\n");
}

bool leaves_open(const SlurmOptions& options, const flow::StageInfo& stage) {
  const auto needs = options.of_stage(stage.name);
  return needs.minutes == 0 || needs.merge_memory_mb == 0 || (stage.is_cut && needs.memory_mb == 0);
}

}  // namespace

StageResources stage_resources(const SlurmOptions& options, std::string_view stage, std::uint32_t tasks,
                               const forecast::Forecast* forecast) {
  const auto needs = options.of_stage(stage);
  StageResources resources{{needs.cpus, needs.memory_mb, needs.minutes},
                           {needs.merge_cpus, needs.merge_memory_mb, needs.minutes}};
  const auto* told = forecast == nullptr ? nullptr : forecast->find(stage);
  auto& [task, merge] = resources;
  if (task.memory_mb == 0) task.memory_mb = told == nullptr ? kTaskMegabytes : megabytes_for(told->memory);
  if (merge.memory_mb == 0) merge.memory_mb = told == nullptr ? kMergeMegabytes : megabytes_for(told->memory);
  if (needs.minutes > 0) return resources;
  const double share = told == nullptr ? 0 : told->cpu_seconds / std::max<std::uint32_t>(1, tasks);
  task.minutes = told == nullptr ? kMinutes : minutes_for(share, task.cpus);
  merge.minutes = told == nullptr ? kMinutes : minutes_for(told->cpu_seconds, merge.cpus);
  return resources;
}

std::optional<forecast::Forecast> forecast_for_jobs(const flow::Build& build, const std::filesystem::path& program,
                                                    const ClusterPaths& paths, const StopFlag& stop) {
  const auto& options = build.settings.get<SlurmOptions>();
  const auto is_open = [&](const auto* stage) { return leaves_open(options, *stage); };
  if (std::none_of(build.stages.begin(), build.stages.end(), is_open)) return std::nullopt;
  auto of_files = build;
  of_files.run.sources = sources_of(build);
  of_files.run.threads = static_cast<int>(std::max(options.cpus, options.merge_cpus));  // memory depends on them
  try {
    const auto digest = digest_of(build, of_files.run.sources);
    const auto file = paths.root / "forecast.json";
    if (auto before = read_forecast(file, digest)) return before;
    auto made = forecast::forecast_build(of_files, program, stop);
    keep_forecast(file, digest, made);
    return made;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    log_warn("no forecast of memory and time can be made, so that jobs get {} MB, merges {} MB, and {} minutes ({})",
             kTaskMegabytes, kMergeMegabytes, kMinutes, error.what());
    return std::nullopt;
  }
}

}  // namespace touchstone::pipeline::cluster
