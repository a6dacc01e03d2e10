#include <cstdio>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "common/log.hpp"

namespace touchstone::cli {
namespace {

void print_plan(const std::vector<pipeline::StagePlan>& plans) {
  for (const auto& plan : plans) std::printf("%-11s %-5s %s\n", std::string(plan.stage->name).c_str(), plan.run ? "run" : "skip", plan.why.c_str());
}

/// Runs stages [first, last] as the flags say.
void run_stages(const WorkFlags& flags, const Context& context, std::string_view first, std::string_view last, bool use_stored_config) {
  const LoadedConfig loaded(flags, use_stored_config ? pipeline::Runner::stored_config(flags.work) : std::string());
  const auto run = run_options(flags, context);
  if (flags.dry_run && !storage::Store::exists(pipeline::WorkPaths{flags.work}.store())) {
    for (const auto& stage : pipeline::stage_table()) std::printf("%-11s %-5s never run\n", std::string(stage.name).c_str(), "run");
    return;
  }
  pipeline::Runner runner(loaded.config(), loaded.options(), run, flags.dry_run ? storage::Access::kReadOnly : storage::Access::kReadWrite);
  if (flags.dry_run) {
    print_plan(runner.plan(first, last));
    return;
  }
  auto& stop = install_stop_signals();
  std::string inputs;
  for (const auto& dump : flags.dumps) inputs += " " + dump;
  log_info("touchstone {}: {} to {} in {}, {} threads{}{}", pipeline::program_version(), first, last, flags.work, run.threads,
           inputs.empty() ? "" : ", from", inputs);
  runner.run(first, last, stop);
}

}  // namespace

void add_build(CLI::App& app, Context& context) {
  auto* command = app.add_subcommand("build", "Run all stages: from a dump to a collection and a report");
  auto flags = std::make_shared<WorkFlags>();
  auto from = std::make_shared<std::string>(pipeline::stage_table().front().name);
  auto to = std::make_shared<std::string>(pipeline::stage_table().back().name);
  auto list = std::make_shared<bool>(false);
  std::vector<std::string> names;
  for (const auto& stage : pipeline::stage_table()) names.emplace_back(stage.name);
  flags->add_to(*command, WorkFlags::kConfig | WorkFlags::kDump | WorkFlags::kRun);
  command->get_option("--work")->required(false);
  command->add_option("--from", *from, "First stage to run")->check(CLI::IsMember(names))->type_name("STAGE");
  command->add_option("--to", *to, "Last stage to run")->check(CLI::IsMember(names))->type_name("STAGE");
  command->add_flag("--list-stages", *list, "Print the stages in order and stop");
  command->callback([=, &context] {
    if (*list) {
      for (const auto& stage : pipeline::stage_table()) std::printf("%-11s %s\n", std::string(stage.name).c_str(), std::string(stage.summary).c_str());
      return;
    }
    if (flags->work.empty()) throw ConfigError("build needs --work DIR: where the store and the results go");
    run_stages(*flags, context, *from, *to, false);
    if (flags->dry_run || *to != "report") return;
    const pipeline::WorkPaths paths{flags->work};
    std::printf("collection: %s\nreport:     %s\n", paths.collection().c_str(), paths.report().c_str());
  });
}

void add_stages(CLI::App& app, Context& context) {
  for (const auto& stage : pipeline::stage_table()) {
    auto* command = app.add_subcommand(std::string(stage.name), std::string(stage.summary));
    auto flags = std::make_shared<WorkFlags>();
    const bool ingest = stage.name == "ingest";
    flags->add_to(*command, WorkFlags::kConfig | WorkFlags::kRun | (ingest ? WorkFlags::kDump : 0U));
    auto gold = std::make_shared<std::string>();
    if (stage.name == "judge") command->add_option("--gold", *gold, "Gold labels to measure the judge by; short for --set judge.gold=FILE")->type_name("FILE");
    const std::string_view name = stage.name;
    command->callback([=, &context] {
      if (!gold->empty()) flags->assignments.push_back("judge.gold=" + *gold);
      run_stages(*flags, context, name, name, true);
    });
  }
}

}  // namespace touchstone::cli
