#include "cli/command.hpp"
#include "common/display_text.hpp"
#include "common/json_tree.hpp"
#include "pipeline/cluster/cluster_status.hpp"
#include "pipeline/stage_table.hpp"
#include "storage/store.hpp"

#include <cstdio>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::cli {
namespace {

using Json = nlohmann::ordered_json;

Json status_json(pipeline::flow::Runner& runner) {
  Json json;
  json["dumps"] = Json::array();
  for (const auto& dump : runner.recorded_sources())
    json["dumps"].push_back({{"name", dump.name}, {"bytes", dump.bytes}, {"sha256", dump.sha256}});
  json["stages"] = Json::array();
  for (const auto& plan : runner.plan(pipeline::stage_graph().all())) {
    const auto& manifest = plan.manifest;
    const auto& report = manifest.report;
    json["stages"].push_back({{"stage", plan.stage->name},
                              {"state", plan.state_text()},
                              {"why", plan.why},
                              {"seconds", manifest.seconds},
                              {"cpu_seconds", manifest.cpu_seconds},
                              {"peak_memory", manifest.peak_memory},
                              {"part_bytes", manifest.part_bytes},
                              {"counts", report.counts},
                              {"rejected", report.rejected},
                              {"samples", report.samples},
                              {"warnings", report.warnings}});
  }
  Json families = Json::object();
  for (std::size_t i = 0; i < storage::kFamilyCount; ++i) {
    const auto family = static_cast<storage::Family>(i);
    families[std::string(to_string(family))] = runner.store().disk_bytes(family);
  }
  json["store_bytes"] = families;
  return json;
}

Json cluster_json(const std::vector<pipeline::cluster::StageJobs>& stages) {
  Json all = Json::array();
  for (const auto& stage : stages) {
    Json failures = Json::array();
    for (const auto& task : stage.failures) {
      failures.push_back({{"shard", task.index},
                          {"job", task.job},
                          {"node", task.node},
                          {"reason", task.reason},
                          {"log", task.log},
                          {"command", task.command}});
    }
    all.push_back({{"stage", stage.stage},
                   {"jobs", stage.jobs},
                   {"shards", stage.shards},
                   {"missing", stage.missing},
                   {"running", stage.running},
                   {"waiting", stage.waiting},
                   {"slurm_answers", stage.slurm_answers},
                   {"failures", failures}});
  }
  return all;
}

void print_status(const Json& json) {
  for (const auto& dump : json["dumps"]) {
    std::printf("dump %s, %.1f MB, SHA-256 %s\n", display_text(dump["name"].get<std::string>()).c_str(),
                dump["bytes"].get<double>() / 1e6,
                dump["sha256"].get<std::string>().empty() ? "not read to its end yet"
                                                          : dump["sha256"].get<std::string>().c_str());
  }
  for (const auto& stage : json["stages"]) {
    const auto state = stage["state"].get<std::string>();
    std::printf("\n%-11s %s", stage["stage"].get<std::string>().c_str(), state.c_str());
    if (state == "out of date" || state == "not finished")
      std::printf(" (%s)", stage["why"].get<std::string>().c_str());
    if (state == "done" || state == "out of date") {
      std::printf(", %.1f s, peak memory %.0f MB", stage["seconds"].get<double>(),
                  stage["peak_memory"].get<double>() / 1e6);
    }
    std::printf("\n");
    for (const auto& [name, count] : stage["counts"].items())
      std::printf("  %12llu %s\n", count.get<unsigned long long>(), name.c_str());
    for (const auto& [reason, count] : stage["rejected"].items()) {
      std::printf("  %12llu %s\n", count.get<unsigned long long>(), reason.c_str());
      if (!stage["samples"].contains(reason)) continue;
      for (const auto& sample : stage["samples"][reason])
        std::printf("                 e.g. %s\n", display_text(sample.get<std::string>()).c_str());
    }
    for (const auto& warning : stage["warnings"])
      std::printf("  warning: %s\n", display_text(warning.get<std::string>()).c_str());
  }
  std::printf("\nstore:");
  for (const auto& [family, bytes] : json["store_bytes"].items()) {
    if (bytes.get<std::uint64_t>() > 0) std::printf(" %s %.1f MB", family.c_str(), bytes.get<double>() / 1e6);
  }
  std::printf("\n");
}

}  // namespace

void add_status(CLI::App* app, Context& context) {
  auto* command = app->add_subcommand("status", "Print the state of each stage, what it counted and what it left out");
  auto flags = std::make_shared<WorkFlags>();
  auto format = std::make_shared<std::string>("text");
  flags->add_to(command, WorkFlags::kConfig);
  command->add_option("--format", *format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  command->callback([=, &context] {
    const auto settings = load_settings(*flags, pipeline::flow::Runner::stored_config(flags->work));
    pipeline::flow::Runner runner(pipeline::stage_graph(), settings, run_options(*flags, context),
                                  storage::Access::kReadOnly);
    auto json = status_json(runner);
    const auto jobs =
        pipeline::cluster::cluster_status(pipeline::stage_graph(), settings, run_options(*flags, context));
    if (*format == "json") {
      if (!jobs.empty()) json["cluster"] = cluster_json(jobs);
      std::printf("%s\n", json_text(json, {.indent = 2}).c_str());
    } else {
      print_status(json);
      if (!jobs.empty())
        std::printf("\non the cluster:\n%s", display_lines(pipeline::cluster::status_text(jobs)).c_str());
    }
  });
}

}  // namespace touchstone::cli
