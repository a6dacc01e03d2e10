#include "pipeline/flow/build.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/thread_limit.hpp"
#include "common/version.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace touchstone::pipeline::flow {
namespace {

bool has_store(const Build& build) {
  return storage::Store::exists(WorkPaths{build.run.work}.store());
}

WorkView view_of(const Build& build, Runner& runner, const StopFlag& stop) {
  return {build.settings, runner.paths(), runner.store(), stop, build.run.threads};
}

/// Threads besides the workers: of the store, of decompression, of the progress line, of connections.
constexpr int kServiceThreads = 8;

/// \param width  of the longest name
std::string plan_line(const StageInfo& stage, std::size_t width, bool run, std::string_view why) {
  return fmt::format("{:<{}} {:<5} {}\n", stage.name, width, run ? "run" : "skip", why);
}

/// Whether no other stage of the build needs this one: its results are what the user asked for.
bool is_last(const Build& build, const StageInfo& stage) {
  return std::none_of(build.stages.begin(), build.stages.end(), [&](const StageInfo* other) {
    const auto& needs = build.graph.needs(*other);
    return std::find(needs.begin(), needs.end(), &stage) != needs.end();
  });
}

std::string outcome_text(const Build& build, Runner& runner, const StopFlag& stop) {
  std::string text;
  for (const auto* stage : build.stages) {
    const auto outcome = build.own_command ? stage->outcome_of_command : stage->outcome_of_build;
    if (outcome != nullptr && is_last(build, *stage)) text += outcome(view_of(build, runner, stop));
  }
  return text;
}

}  // namespace

void check_start(const Build& build) {
  for (const auto& source : build.run.sources) {
    if (source.path != "-" && !std::filesystem::exists(source.path))
      throw StorageError("cannot open " + source.kind + " " + source.path.string() + ": no such file" +
                         did_you_mean_file(source.path));
  }
  if (has_store(build)) return;
  for (const auto* stage : build.stages) {
    if (stage->check_start != nullptr) stage->check_start(build.settings);
  }
  const std::string work = build.run.work.string();
  if (!reads_sources(*build.stages.front()))
    throw StorageError("there is no store in " + work + "; make one with touchstone ingest or build");
  if (build.run.sources.empty())
    throw ConfigError("there is nothing in " + work + " yet; name a dump with --dump FILE");
}

std::string dry_run_text(const Build& build, const StopFlag& stop) {
  std::string text;
  std::size_t width = 11;
  for (const auto* stage : build.stages) width = std::max(width, stage->name.size());
  if (!has_store(build)) {
    for (const auto* stage : build.stages) text += plan_line(*stage, width, true, "never run");
    return text;
  }
  check_start(build);
  Runner runner(build.graph, build.settings, build.run, storage::Access::kReadOnly);
  const auto plans = runner.plan(build.stages);
  for (const auto& plan : plans) text += plan_line(*plan.stage, width, plan.run, plan.why);
  // Only what a stage reads while nothing before it runs is there already, and can be looked at.
  const auto next = std::find_if(plans.begin(), plans.end(), [](const auto& plan) { return plan.run; });
  if (next != plans.end() && next->stage->forecast != nullptr)
    text += next->stage->forecast(view_of(build, runner, stop));
  return text;
}

std::string run_build(const Build& build, const StopFlag& stop) {
  check_start(build);
  check_thread_limit(build.run.threads + kServiceThreads);
  Runner runner(build.graph, build.settings, build.run, storage::Access::kReadWrite);
  std::string from;
  for (const auto& source : build.run.sources) from += (from.empty() ? ", from " : " ") + source.path.string();
  log_info("touchstone {}: {} to {} in {}, config {}, {} threads{}", program_version(), build.stages.front()->name,
           build.stages.back()->name, build.run.work.string(), sha256_hex(build.settings.remembered()).substr(0, 12),
           build.run.threads, from);
  runner.run(build.stages, stop);
  return outcome_text(build, runner, stop);
}

std::string build_outcome(const Build& build, const StopFlag& stop) {
  Runner runner(build.graph, build.settings, build.run, storage::Access::kReadOnly);
  return outcome_text(build, runner, stop);
}

const StageInfo* stage_without_topics(const Build& build) {
  const Runner runner(build.graph, build.settings, build.run, storage::Access::kReadOnly);
  for (const auto* stage : build.stages) {
    const auto manifest = runner.manifest(stage->name);
    if (manifest.state == StageManifest::State::kDone && manifest.report.topics == 0U) return stage;
  }
  return nullptr;
}

StageReport report_of(const Build& build, std::string_view stage) {
  const Runner runner(build.graph, build.settings, build.run, storage::Access::kReadOnly);
  auto manifest = runner.manifest(stage);
  return manifest.state == StageManifest::State::kDone ? std::move(manifest.report) : StageReport{};
}

}  // namespace touchstone::pipeline::flow
