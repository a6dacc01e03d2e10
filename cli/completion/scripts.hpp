#pragma once

#include <string>
#include <vector>

/// Scripts that complete the program's commands, flags and values in a shell.
namespace touchstone::cli::completion {

// What the command line consists of, for those who write it down: the help on one command, the completions of shells.

struct FlagInfo {
  std::vector<std::string> names;    ///< with their dashes; of a positional argument the word that represents it
  std::string value;                 ///< the word that represents its value, e.g. "FILE"; empty: takes none
  std::vector<std::string> choices;  ///< the values it takes, where they are few
  std::string description;
};

struct CommandInfo {
  std::string name, description;
  std::vector<FlagInfo> flags, positionals;
  std::vector<CommandInfo> commands;
};

/// What `--set` takes before its "=".
using OptionKeys = std::vector<std::string>;

std::string bash_completion(const CommandInfo& program, const OptionKeys& keys);
std::string zsh_completion(const CommandInfo& program, const OptionKeys& keys);
std::string fish_completion(const CommandInfo& program, const OptionKeys& keys);

}  // namespace touchstone::cli::completion
