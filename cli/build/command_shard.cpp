#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "pipeline/stage_table.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::cli {

void add_shard(CLI::App* app, Context& context) {
  const auto& graph = pipeline::stage_graph();
  auto* command = app->add_subcommand("shard", "Map one shard of a stage, as a task of a cluster; a build merges them");
  auto flags = std::make_shared<WorkFlags>();
  auto name = std::make_shared<std::string>();
  auto index = std::make_shared<std::uint32_t>(0);
  auto count = std::make_shared<std::uint32_t>(1);
  std::vector<std::string> names;
  for (const auto& stage : graph.stages()) {
    if (stage.is_cut || stage.tasks_ahead != nullptr) names.emplace_back(stage.name);
  }
  command->add_option("STAGE", *name, "Stage that is cut into shards, or that tasks work ahead for")
      ->required()
      ->check(one_of(names));
  command->add_option("--index", *index, "Number of the shard, counted from 0")->required()->type_name("I");
  command->add_option("--of", *count, "How many shards the stage has")
      ->required()
      ->type_name("N")
      ->check(CLI::Range(1, 10000));
  flags->add_to(command, WorkFlags::kConfig);
  add_threads(command, flags->threads);
  add_footer(command);
  command->callback([=, &context, &graph] {
    if (*index >= *count)
      throw ConfigError(fmt::format("--index {} is not below --of {}; shards are counted from 0", *index, *count));
    const auto settings = load_run_settings(*flags);
    const auto& stage = *graph.find(*name);
    if (!stage.is_cut && stage.tasks_ahead(settings) == 0)
      throw ConfigError(
          fmt::format("stage {} is one job with these settings, and tasks have no share in it; run touchstone {}",
                      stage.name, stage.name));
    auto run = run_options(*flags, context);
    run.shards = *count;
    pipeline::flow::Runner runner(graph, settings, run, storage::Access::kReadOnly);
    const bool made = runner.run_shard(stage, *index, pipeline::flow::attempt_name(), install_stop_signals());
    log_info("{}: shard {} of {} {}", *name, *index + 1, *count, made ? "is whole" : "was whole before");
  });
}

}  // namespace touchstone::cli
