#include "cli/command.hpp"
#include "collection/kinds.hpp"
#include "common/display_text.hpp"
#include "common/stop.hpp"

#include <cstdio>

namespace touchstone::cli {

void add_health(CLI::App* app, Context& context) {
  auto* command =
      app->add_subcommand("health", "Examine how usable a collection is: repeats, overlap, markup, evidence");
  auto directory = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  command->add_option("COLLECTION", *directory, "Collection directory")->required();
  command->add_option("--format", *format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  add_footer(command);
  command->callback([=, &context] {
    const auto checks = collection::examine_collection(*directory, install_stop_signals());
    context.exit_status = collection::health::is_healthy(checks) ? ExitStatus::kDone : ExitStatus::kFailed;
    const auto text = *format == "json" ? collection::health::health_report_json(checks)
                                        : display_lines(collection::health::health_table(checks));
    std::fputs(text.c_str(), stdout);
  });
}

}  // namespace touchstone::cli
