#include "pipeline/cluster/job_commands.hpp"

#include "common/error.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/flow/work_files.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace touchstone::pipeline::cluster {
namespace {

/// The flag that names a file of pages.
std::string flag_of(const flow::SourceInput& source) {
  for (const auto& kind : corpus::page_file_kinds()) {
    if (kind.name == source.kind) return std::string(kind.flag);
  }
  throw ConfigError("no flag names files of the kind " + source.kind);
}

/// True for stages that ask models: all jobs of the build share their budget.
bool spends(const flow::StageInfo& stage) {
  return std::find(stage.keeps.begin(), stage.keeps.end(), flow::folder(kAskingFolder)) != stage.keeps.end();
}

}  // namespace

JobCommands::JobCommands(const flow::Build& build, ClusterPaths paths) : build_(build), paths_(std::move(paths)) {}

std::vector<std::string> JobCommands::common_words(std::int64_t threads) const {
  return {"--work",    std::filesystem::absolute(build_.run.work).string(),
          "--config",  paths_.settings().string(),
          "--threads", std::to_string(threads)};
}

std::vector<std::string> JobCommands::of_shard(const flow::StageInfo& stage, std::uint32_t count, std::string index,
                                               std::int64_t threads) const {
  std::vector<std::string> words{"--progress", "never",          "shard", std::string(stage.name),
                                 "--index",    std::move(index), "--of",  std::to_string(count)};
  const auto more = common_words(threads);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> JobCommands::of_prepare(const flow::StageInfo& stage, std::int64_t threads) const {
  return of_build(stage, {"--executor", "prepare"}, threads);
}

std::vector<std::string> JobCommands::of_merge(const flow::StageInfo& stage, std::uint32_t count,
                                               std::int64_t threads) const {
  if (count == 0) return of_build(stage, {}, threads);
  return of_build(stage, {"--executor", "merge", "--shards", std::to_string(count)}, threads);
}

std::vector<std::string> JobCommands::of_build(const flow::StageInfo& stage, const std::vector<std::string>& executor,
                                               std::int64_t threads) const {
  const std::string name(stage.name);
  std::vector<std::string> words{"--progress", "never", "build", "--from", name, "--to", name};
  const auto more = common_words(threads);
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), executor.begin(), executor.end());
  if (executor.empty() && spends(stage)) words.insert(words.end(), {"--executor", "merge"});
  if (!flow::reads_sources(stage)) return words;
  if (build_.run.replace) words.emplace_back("--replace");
  for (const auto& source : build_.run.sources) {
    words.push_back(flag_of(source));
    words.push_back(std::filesystem::absolute(source.path).string());
  }
  return words;
}

}  // namespace touchstone::pipeline::cluster
