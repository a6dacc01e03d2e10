#include "cli/command.hpp"

#include <cstdio>

namespace touchstone::cli {

void add_config(CLI::App& app, Context&) {
  auto* command = app.add_subcommand("config", "Show every option with its value and where it comes from");
  auto flags = std::make_shared<WorkFlags>();
  auto markdown = std::make_shared<bool>(false);
  const std::string show = "Print the options as TOML, with origin and meaning (the default)";
  command->add_flag("--show", show);
  command->add_flag("--markdown", *markdown, "Print docs/config.md");
  command->add_option("--config", flags->config_file, "Options in TOML")->type_name("FILE");
  command->add_option("--set", flags->assignments, "One option, over the file's value")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  add_footer(*command);
  command->callback([=] {
    const LoadedConfig loaded(*flags, "");
    const auto& options = loaded.options();
    const auto text = [](std::string_view view) { return std::string(view); };
    if (*markdown) {
      std::printf(
          "# Options\n\nMade by `touchstone config --markdown` from the program's option table. In a file, `a.b = c` "
          "may be\n"
          "written as `b = c` under `[a]`. Precedence: default, then file (`--config`), then flag (`--set a.b=c`).\n\n"
          "| option | type | default | meaning |\n|---|---|---|---|\n");
      for (std::size_t i = 0; i < options.rows().size(); ++i) {
        const auto& row = options.rows()[i];
        std::string type = text(options.type_name(i));
        if (!row.choices.empty()) {
          type = text(row.choices);
          for (std::size_t at = 0; (at = type.find('|', at)) != std::string::npos; at += 4) type.replace(at, 1, " or ");
        }
        std::printf("| `%s` | %s | `%s` | %s |\n", text(row.key).c_str(), type.c_str(), options.value_text(i).c_str(),
                    text(row.summary).c_str());
      }
      return;
    }
    std::string section;
    for (std::size_t i = 0; i < options.rows().size(); ++i) {
      const auto& row = options.rows()[i];
      const auto dot = row.key.find('.');
      if (row.key.substr(0, dot) != section) {
        if (!section.empty()) std::printf("\n");
        section = text(row.key.substr(0, dot));
        std::printf("[%s]\n", section.c_str());
      }
      std::printf("%s = %s  # %s: %s\n", text(row.key.substr(dot + 1)).c_str(), options.value_text(i).c_str(),
                  options.origin_name(i).c_str(), text(row.summary).c_str());
    }
  });
}

}  // namespace touchstone::cli
