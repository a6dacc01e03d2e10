#pragma once

#include "cli/completion/command_info.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// What the commands use of CLI11. The library is compiled in command_line.cpp, main.cpp and help_formatter.cpp only,
/// because its header costs more time than all that a command does itself.
namespace touchstone::cli {

/// A declared flag. A handle: the program owns the flag. Each function returns the flag itself.
class Option {
 public:
  explicit Option(CLI::Option& option) noexcept : option_(&option) {}

  Option& required(bool value = true);
  /// The word that stands for the value in --help.
  Option& type_name(std::string_view name);
  /// How many values follow the flag; `most` -1: any number.
  Option& expected(int count);
  Option& expected(int least, int most);
  /// All values count if the flag is repeated.
  Option& take_all();
  Option& excludes(Option other);
  Option& needs(Option other);
  /// Shows the present value of the target as default in --help.
  Option& capture_default_str();
  /// Refuses values outside of [low, high].
  Option& range(int low, int high);
  Option& range(unsigned low, unsigned high);
  Option& range(double low, double high);
  Option& positive();
  /// Accepts whole numbers as 1000000, 1e6 or 1_000_000, and refuses all others.
  Option& whole_number();
  /// Refuses values that are not among `names`.
  /// \param also  accepts others; may be empty
  Option& one_of(const std::vector<std::string>& names, const std::function<bool(const std::string&)>& also = {});

 private:
  CLI::Option* option_;
};

/// A sub-command whose flags are declared; a handle: the program owns the command. Targets of flags must outlive it.
class Command {
 public:
  Command(CLI::App& app) noexcept
      : app_(&app) {}  // NOLINT(google-explicit-constructor): a handle stands for its command

  Command add_subcommand(std::string_view name, std::string_view description);
  /// `names` such as "-j,--threads", or a word without dashes for a positional argument. Defined for the types that
  /// command_line.cpp lists; any other fails to link.
  template <class Target>
  Option add_option(const std::string& names, Target& target, const std::string& description);
  /// Calls `set` with the value, or with all values, of the flag.
  Option on_value(const std::string& names, std::function<void(const std::string&)> set,
                  const std::string& description);
  Option on_values(const std::string& names, std::function<void(const std::vector<std::string>&)> set,
                   const std::string& description);
  Option add_flag(const std::string& names, bool& target, const std::string& description);
  /// A flag without effect, for what is the default.
  Option add_flag(const std::string& names, const std::string& description);
  Option get_option(const std::string& name);
  /// Whether the command line has the flag, once the command runs.
  bool has(const std::string& name) const;
  /// Runs the command, after all of the command line was read.
  void callback(std::function<void()> run);
  /// Refuses a command line that has none of its sub-commands.
  void require_subcommand();
  /// The last line of --help.
  void footer(const std::string& text);
  /// The headline under which the help of the parent lists the command.
  void group(const std::string& headline);

  /// All sub-commands and flags, as declared so far.
  completion::CommandInfo info() const;
  /// The sub-command of that name.
  std::optional<Command> find(const std::string& name) const;
  std::vector<Command> commands() const;
  /// What --help prints.
  std::string help() const;

 private:
  CLI::App* app_;
};

/// -j, --threads. \param more  what the help says of it besides
Option add_threads(Command command, int& threads, const std::string& more = "");

}  // namespace touchstone::cli
