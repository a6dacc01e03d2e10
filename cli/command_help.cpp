#include "cli/command.hpp"
#include "cli/completion/scripts.hpp"
#include "common/edit_distance.hpp"
#include "common/error.hpp"
#include "pipeline/stage_table.hpp"

#include <cstdio>
#include <memory>

namespace touchstone::cli {
namespace {

std::vector<std::string> names_of(const std::vector<completion::CommandInfo>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.name);
  return names;
}

completion::OptionKeys option_keys() {
  completion::OptionKeys keys;
  const auto settings = pipeline::stage_graph().settings();
  for (std::size_t i = 0; i < settings.size(); ++i) keys.emplace_back(settings.row(i).key);
  return keys;
}

}  // namespace

std::string no_such_command(CLI::App* parent, const std::string& words_before, const std::string& word) {
  return "there is no command \"" + words_before + word + "\"" +
         did_you_mean(word, names_of(command_info(parent).commands)) + "; touchstone " + words_before +
         "--help lists them";
}

void add_help(CLI::App* app, Context&) {
  auto* command = app->add_subcommand("help", "Print the help on a command");
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("COMMAND", *words, "The command, such as build or car show; nothing for all")->expected(0, -1);
  add_footer(command);
  command->callback([app, words]() {
    CLI::App* found = app;
    std::string before;
    for (const auto& word : *words) {
      auto* part = find_sub_command(found, word);
      if (part == nullptr) throw ConfigError(no_such_command(found, before, word));
      found = part;
      before += word + " ";
    }
    // App::help() is that of the sub-command which is being run.
    const auto help = found->get_formatter()->make_help(found, "", CLI::AppFormatMode::Normal);
    std::fputs(help.c_str(), stdout);
  });
}

void add_completion(CLI::App* app, Context&) {
  auto* command = app->add_subcommand("completion", "Print a script that completes commands and flags in a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(one_of({"bash", "zsh", "fish"}));
  add_footer(command);
  command->callback([app, shell]() {
    auto info = command_info(app);
    for (auto& part : info.commands) {
      if (part.name == "help") part.positionals.front().choices = names_of(info.commands);
    }
    const auto keys = option_keys();
    const auto script = *shell == "bash"  ? completion::bash_completion(info, keys)
                        : *shell == "zsh" ? completion::zsh_completion(info, keys)
                                          : completion::fish_completion(info, keys);
    std::fputs(script.c_str(), stdout);
  });
}

}  // namespace touchstone::cli
