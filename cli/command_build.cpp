#include "cli/command.hpp"
#include "cli/survey_advice.hpp"
#include "common/error.hpp"
#include "pipeline/stage_table.hpp"

#include <cstdio>

namespace touchstone::cli {

void add_build(Command app, Context& context) {
  const auto& graph = pipeline::stage_graph();
  auto command = app.add_subcommand("build", "Run all stages: from a dump to a collection and a report");
  auto flags = std::make_shared<WorkFlags>();
  auto from = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>(pipeline::default_target());
  auto list = std::make_shared<bool>(false);
  std::vector<std::string> stages;
  for (const auto& stage : graph.stages()) stages.emplace_back(stage.name);
  flags->add_to(command, WorkFlags::kConfig | WorkFlags::kSources | WorkFlags::kRun);
  command.get_option("--work").required(false);
  for (const auto& stage : graph.stages()) {
    for (const auto& shorthand : stage.shorthands) {
      if (shorthand.of_build) flags->add_shorthand(command, shorthand);
    }
  }
  command.add_option("--from", *from, "First stage to run").one_of(stages).type_name("STAGE");
  command.add_option("--to", *to, "Target or stage to make, with everything it needs (default: report)")
      .one_of(graph.target_names())
      .type_name("TARGET");
  command.add_flag("--list-stages", *list, "Print the stages with what they read and write, and exit");
  command.callback([=, &context, &graph] {
    if (*list) {
      std::fputs(graph.listing().c_str(), stdout);
      return;
    }
    if (flags->work.empty()) throw ConfigError("build needs --work DIR: the directory for the store and the results");
    const auto settings = load_run_settings(*flags);
    const pipeline::flow::Build build{graph, settings, run_options(*flags, context), graph.stages_for(*to, *from)};
    run_and_print(build, flags->dry_run);
    if (!flags->dry_run) advise_if_no_topics(build, *to);
  });
}

}  // namespace touchstone::cli
