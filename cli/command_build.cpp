#include "cli/command.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "common/version.hpp"
#include "formats/collection.hpp"
#include "pipeline/gold.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

unsigned long long as_count(std::uint64_t number) {
  return number;
}

void print_plan(const std::vector<pipeline::StagePlan>& plans) {
  for (const auto& plan : plans)
    std::printf("%-11s %-5s %s\n", std::string(plan.stage->name).c_str(), plan.run ? "run" : "skip", plan.why.c_str());
}

void print_gold(pipeline::Runner& runner, const std::string& gold_file) {
  if (gold_file.empty()) return;
  const auto [labels, gold] = pipeline::measure_gold(runner.store(), runner.paths(), gold_file);
  std::printf("  judge against %llu of %llu gold labels: precision %.3f, recall %.3f, F1 %.3f, kappa %.3f\n",
              as_count(gold.judged()), as_count(labels), gold.precision(), gold.recall(), gold.f1(), gold.kappa());
}

/// Headline numbers, and where to look.
void print_result(pipeline::Runner& runner, const std::string& gold_file) {
  const auto& paths = runner.paths();
  const auto summary = formats::read_collection_summary(paths.collection());
  const auto& numbers = summary.numbers;
  std::printf("%s, labels by %s\n", summary.info.name.c_str(), summary.info.judge.c_str());
  std::printf("  topics     %8llu   members  %8llu   passages %8llu\n", as_count(numbers.topics),
              as_count(numbers.members), as_count(numbers.passages));
  std::printf("  judgments  %8llu   evidence %8llu   a topic: mean %.1f, median %g, %llu to %llu\n",
              as_count(numbers.judgments), as_count(numbers.evidence), numbers.evidence_mean, numbers.evidence_median,
              as_count(numbers.evidence_min), as_count(numbers.evidence_max));
  print_gold(runner, gold_file);
  std::printf("collection  %s\nreport      %s\n", paths.collection().c_str(), paths.report().c_str());
}

/// Runs stages [first, last] as the flags say.
void run_stages(const WorkFlags& flags, const Context& context, std::string_view first, std::string_view last,
                bool use_stored_config) {
  const LoadedConfig loaded(flags, use_stored_config ? pipeline::Runner::stored_config(flags.work) : std::string());
  const auto run = run_options(flags, context);
  if (flags.dry_run && !storage::Store::exists(pipeline::WorkPaths{flags.work}.store())) {
    bool chosen = false;
    for (const auto& stage : pipeline::stage_table()) {
      chosen = chosen || stage.name == first;
      if (chosen) std::printf("%-11s %-5s never run\n", std::string(stage.name).c_str(), "run");
      if (stage.name == last) break;
    }
    return;
  }
  // What cannot work must not leave a half-made work directory behind.
  for (const auto& dump : flags.dumps) {
    if (dump != "-" && !std::filesystem::exists(dump))
      throw StorageError("cannot open dump " + dump + ": no such file");
  }
  if (!storage::Store::exists(pipeline::WorkPaths{flags.work}.store())) {
    if (first != pipeline::stage_table().front().name) {
      throw StorageError("there is no store in " + flags.work + "; make one with touchstone ingest or build");
    }
    if (flags.dumps.empty()) throw ConfigError("nothing is in " + flags.work + " yet: name a dump with --dump FILE");
  }
  pipeline::Runner runner(loaded.config(), loaded.options(), run,
                          flags.dry_run ? storage::Access::kReadOnly : storage::Access::kReadWrite);
  if (flags.dry_run) {
    print_plan(runner.plan(first, last));
    return;
  }
  auto& stop = install_stop_signals();
  std::string inputs;
  for (const auto& dump : flags.dumps) inputs += " " + dump;
  log_info("touchstone {}: {} to {} in {}, config {}, {} threads{}{}", program_version(), first, last, flags.work,
           sha256_hex(pipeline::effective_config(loaded.options())).substr(0, 12), run.threads,
           inputs.empty() ? "" : ", from", inputs);
  runner.run(first, last, stop);
  if (last == "report" && first != last) print_result(runner, loaded.config().judge.gold);
  if (first == "judge" && first == last) print_gold(runner, loaded.config().judge.gold);
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
      for (const auto& stage : pipeline::stage_table())
        std::printf("%-11s %s\n", std::string(stage.name).c_str(), std::string(stage.summary).c_str());
      return;
    }
    if (flags->work.empty()) throw ConfigError("build needs --work DIR: where the store and the results go");
    run_stages(*flags, context, *from, *to, false);
  });
}

void add_stages(CLI::App& app, Context& context) {
  for (const auto& stage : pipeline::stage_table()) {
    auto* command = app.add_subcommand(std::string(stage.name), std::string(stage.summary));
    auto flags = std::make_shared<WorkFlags>();
    const bool ingest = stage.name == "ingest";
    flags->add_to(*command, WorkFlags::kConfig | WorkFlags::kRun | (ingest ? WorkFlags::kDump : 0U));
    auto gold = std::make_shared<std::string>();
    if (stage.name == "judge")
      command->add_option("--gold", *gold, "Gold labels to measure the judge by; short for --set judge.gold=FILE")
          ->type_name("FILE");
    const std::string_view name = stage.name;
    command->callback([=, &context] {
      if (!gold->empty()) flags->assignments.push_back("judge.gold=" + *gold);
      run_stages(*flags, context, name, name, true);
    });
  }
}

}  // namespace touchstone::cli
