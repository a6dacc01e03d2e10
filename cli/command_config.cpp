#include "cli/command.hpp"

#include <cstdio>

namespace touchstone::cli {

void add_config(CLI::App* app, Context&) {
  auto* command = app->add_subcommand("config", "Print every option with its value and origin");
  auto flags = std::make_shared<WorkFlags>();
  auto markdown = std::make_shared<bool>(false);
  const std::string show = "Print the options as TOML, with origin and meaning (default)";
  command->add_flag("--show", show);
  command->add_flag("--markdown", *markdown, "Print docs/config.md");
  command->add_option("--config", flags->config_file, "File with options in TOML")->type_name("FILE");
  command->add_option("--set", flags->assignments, "Set one option; overrides the file")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  add_footer(command);
  command->callback([=] {
    const auto settings = load_settings(*flags, "");
    const auto text = *markdown ? settings_as_markdown(settings) : settings_as_toml(settings);
    std::fputs(text.c_str(), stdout);
  });
}

}  // namespace touchstone::cli
