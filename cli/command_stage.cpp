#include "cli/command.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "pipeline/stage_table.hpp"

#include <cstdio>

namespace touchstone::cli {
namespace {

using pipeline::flow::KeptLog;
using pipeline::flow::StageInfo;

/// Copies records between the log in the work directory and files.
struct LogFiles {
  std::vector<std::string> from;
  std::string to;

  void add_to(CLI::App* command, const KeptLog& log) {
    const std::string records(log.records);
    command->add_option("--export", to, "Write all " + records + " of the log as JSON lines and exit")
        ->type_name("FILE");
    command->add_option("--import", from, "Add the " + records + " of other logs, one or more, and exit")
        ->type_name("FILE")
        ->expected(1, -1);
  }
  bool given() const { return !from.empty() || !to.empty(); }

  void exchange(const std::string& work, const KeptLog& log) const {
    const pipeline::flow::WorkPaths paths{work};
    const std::string records(log.records);
    for (const auto& file : from) {
      const auto count = log.import_from(paths, file);
      std::printf("%s: %llu %s, %llu of them new\n", file.c_str(), static_cast<unsigned long long>(count.read),
                  records.c_str(), static_cast<unsigned long long>(count.added));
    }
    if (to.empty()) return;
    std::printf("%s: %llu %s\n", to.c_str(), static_cast<unsigned long long>(log.export_to(paths, to).read),
                records.c_str());
  }
};

void add_stage(CLI::App* app, Context& context, const StageInfo& stage) {
  auto* command = app->add_subcommand(std::string(stage.name), std::string(stage.summary));
  auto flags = std::make_shared<WorkFlags>();
  auto files = std::make_shared<LogFiles>();
  flags->add_to(command, WorkFlags::kConfig | WorkFlags::kRun |
                             (reads_sources(stage) ? WorkFlags::kSources | WorkFlags::kReplace : 0U));
  if (stage.finds_topics) add_footer(command, ExitStatus::kNoTopics);
  for (const auto& shorthand : stage.shorthands) flags->add_shorthand(command, shorthand);
  if (stage.can_ask_again)
    command->add_flag("--retry-unjudged", flags->ask_again,
                      "Ask again for everything without a grade, and for nothing else");
  if (stage.log != nullptr) files->add_to(command, *stage.log);
  command->callback([=, &context, &stage] {
    if (files->given()) {
      files->exchange(flags->work, *stage.log);
      return;
    }
    const auto settings = load_run_settings(*flags);
    const pipeline::flow::Build build{pipeline::stage_graph(), settings, run_options(*flags, context), {&stage}, true};
    run_and_print(build, flags->dry_run);
    if (flags->dry_run || pipeline::flow::stage_without_topics(build) == nullptr) return;
    context.exit_status = ExitStatus::kNoTopics;
    std::printf("No topic was found; touchstone survey --work %s shows settings that give some.\n",
                display_text(shell_word(flags->work)).c_str());
  });
}

}  // namespace

void add_stages(CLI::App* app, Context& context) {
  for (const auto& stage : pipeline::stage_graph().stages()) add_stage(app, context, stage);
}

}  // namespace touchstone::cli
