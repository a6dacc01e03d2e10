#pragma once

#include <string>
#include <vector>

/// What the command line consists of, for those who write it down: the help on one command, the completions of shells.
namespace touchstone::cli::completion {

struct FlagInfo {
  std::vector<std::string> names;    ///< with their dashes; of a positional argument the word that stands for it
  std::string value;                 ///< the word that stands for its value, e.g. "FILE"; empty: takes none
  std::vector<std::string> choices;  ///< the values it takes, where they are few
  std::string description;
};

struct CommandInfo {
  std::string name, description;
  std::vector<FlagInfo> flags, positionals;
  std::vector<CommandInfo> commands;
};

}  // namespace touchstone::cli::completion
