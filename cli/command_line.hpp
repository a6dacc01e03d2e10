#pragma once

#include "cli/completion/scripts.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

/// What the commands share in the use of CLI11.
namespace touchstone::cli {

/// For CLI::Option::transform: accepts whole numbers as 1000000, 1e6 or 1_000_000, and refuses all others.
std::string whole_number(const std::string& text);

/// For CLI::Option::check: refuses values that are not among `names`.
/// \param also  accepts others; may be empty
CLI::Validator one_of(const std::vector<std::string>& names, const std::function<bool(const std::string&)>& also = {});

/// A share of 1, from "10%" or "0.1". Throws ConfigError that names the flag for another text.
double share_of(std::string_view flag, std::string_view text);

/// -j, --threads. \param more  what the help says of it besides
CLI::Option* add_threads(CLI::App* command, int& threads, const std::string& more = "");

/// The sub-commands of a command; nullptr if no sub-command has the name.
std::vector<CLI::App*> sub_commands(CLI::App* command);
CLI::App* find_sub_command(CLI::App* command, const std::string& name);

/// All sub-commands and flags, as declared so far.
completion::CommandInfo command_info(CLI::App* command);

/// Formats `--help` for 80 columns: usage, one sentence, and the options with their text beside or below.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace touchstone::cli
