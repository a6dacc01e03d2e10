#pragma once

#include "cli/completion/command_info.hpp"

#include <string>
#include <vector>

/// Scripts that complete the program's commands, flags and values in a shell.
namespace touchstone::cli::completion {

/// What `--set` takes before its "=".
using OptionKeys = std::vector<std::string>;

std::string bash_completion(const CommandInfo& program, const OptionKeys& keys);
std::string zsh_completion(const CommandInfo& program, const OptionKeys& keys);
std::string fish_completion(const CommandInfo& program, const OptionKeys& keys);

}  // namespace touchstone::cli::completion
