#include "cli/completion/scripts.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::cli::completion {
namespace {

enum class Value { kNone, kFile, kFolder, kChoice, kKey, kOther };

Value kind_of(const FlagInfo& flag) {
  if (flag.value.empty()) return Value::kNone;
  if (!flag.choices.empty()) return Value::kChoice;
  if (flag.value == "KEY=VALUE") return Value::kKey;
  if (flag.value == "DIR" || flag.value == "COLLECTION") return Value::kFolder;
  constexpr std::string_view kFiles[] = {"FILE", "PATH", "QRELS", "RUN", "RUNS", "PAGES", "A", "B", "MATRIX"};
  return std::find(std::begin(kFiles), std::end(kFiles), flag.value) == std::end(kFiles) ? Value::kOther : Value::kFile;
}

/// Calls `take` for the program and every command below it, with the words that lead there: "", "car", "car show".
void for_each_command(const CommandInfo& command, const std::string& words,
                      const std::function<void(const CommandInfo&, const std::string&)>& take) {
  take(command, words);
  for (const auto& part : command.commands)
    for_each_command(part, words.empty() ? part.name : words + " " + part.name, take);
}

std::vector<std::string> names_of(const std::vector<CommandInfo>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.name);
  return names;
}

/// Flags of a command, then those of the program, which every command takes.
std::vector<FlagInfo> all_flags(const CommandInfo& command, const CommandInfo& program) {
  auto flags = command.flags;
  for (const auto& flag : program.flags) {
    const bool known =
        std::any_of(flags.begin(), flags.end(), [&](const auto& other) { return other.names == flag.names; });
    if (!known && flag.names != std::vector<std::string>{"--version"}) flags.push_back(flag);
  }
  return flags;
}

/// A text between single quotes, for any of the three shells.
std::string quoted(std::string_view text, std::string_view quote_in_text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += quote_in_text;
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string bash_values(const FlagInfo& flag) {
  switch (kind_of(flag)) {
    case Value::kFile:
      return "COMPREPLY=($(compgen -f -- \"$word\")); compopt -o filenames 2>/dev/null; return";
    case Value::kFolder:
      return "COMPREPLY=($(compgen -d -- \"$word\")); compopt -o filenames 2>/dev/null; return";
    case Value::kChoice:
      return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\")); return", fmt::join(flag.choices, " "));
    case Value::kKey:
      return "COMPREPLY=($(compgen -S = -W \"$keys\" -- \"$word\")); compopt -o nospace 2>/dev/null; return";
    default:
      return "return";
  }
}

std::string bash_command(const CommandInfo& command, const CommandInfo& program, const std::string& words) {
  std::string out = fmt::format("    '{}')\n", words);
  const auto flags = all_flags(command, program);
  std::vector<std::string> names;
  out += "      case $before in\n";
  for (const auto& flag : flags) {
    names.insert(names.end(), flag.names.begin(), flag.names.end());
    if (!flag.value.empty()) out += fmt::format("        {}) {} ;;\n", fmt::join(flag.names, "|"), bash_values(flag));
  }
  out += fmt::format("      esac\n      flags='{}'\n", fmt::join(names, " "));
  const auto first = command.positionals.empty() ? FlagInfo{} : command.positionals.front();
  if (!command.commands.empty()) {
    out += fmt::format("      words='{}'\n", fmt::join(names_of(command.commands), " "));
  } else if (!first.choices.empty()) {
    out += fmt::format("      words='{}'\n", fmt::join(first.choices, " "));
  }
  return out + "      ;;\n";
}

/// A description inside a zsh specification: brackets and colons have a meaning there.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const FlagInfo& flag) {
  switch (kind_of(flag)) {
    case Value::kFile:
      return "_files";
    case Value::kFolder:
      return "_files -/";
    case Value::kChoice:
      return fmt::format("({})", fmt::join(flag.choices, " "));
    case Value::kKey:
      return "->keys";
    default:
      return " ";
  }
}

std::string zsh_command(const CommandInfo& command, const CommandInfo& program, const std::string& words) {
  constexpr std::string_view kQuote = "'\\''";
  std::string out = fmt::format("    '{}')\n      _arguments -C \\\n", words);
  for (const auto& flag : all_flags(command, program)) {
    for (const auto& name : flag.names) {
      // "--flag=" takes its value as the next word too.
      std::string spec = "*" + name + (flag.value.empty() ? "" : name.starts_with("--") ? "=" : "+");
      spec += "[" + zsh_text(flag.description) + "]";
      if (!flag.value.empty()) spec += ":" + zsh_text(flag.value) + ":" + zsh_action(flag);
      out += "        " + quoted(spec, kQuote) + " \\\n";
    }
  }
  if (!command.commands.empty()) {
    out += "        '1:command:->commands' '*:: :->below' && return\n";
    out += "      case $state in\n        commands)\n          _values 'command' \\\n";
    for (const auto& part : command.commands)
      out += "            " + quoted(part.name + "[" + zsh_text(part.description) + "]", kQuote) + " \\\n";
    out += "            && return ;;\n";
    out += fmt::format("        below) _touchstone_command \"{}$line[1]\" ;;\n", words.empty() ? "" : words + " ");
    out += "      esac\n";
  } else {
    for (std::size_t i = 0; i < command.positionals.size(); ++i) {
      const auto& argument = command.positionals[i];
      const auto place = i + 1 < command.positionals.size() ? std::to_string(i + 1) : std::string("*");
      const auto action = argument.choices.empty() ? std::string("_files") : zsh_action(argument);
      out += "        " + quoted(fmt::format("{}:{}:{}", place, zsh_text(argument.value), action), kQuote) + " \\\n";
    }
    out += "        && return\n";
    out += "      [[ $state == keys ]] && compadd -S = -a keys\n";
  }
  return out + "      ;;\n";
}

std::string fish_flag(const FlagInfo& flag, const std::string& condition) {
  constexpr std::string_view kQuote = "\\'";
  std::string out = "complete -c touchstone" + condition;
  for (const auto& name : flag.names) {
    const bool is_long = name.starts_with("--");
    out += (is_long ? " -l " : " -s ") + name.substr(is_long ? 2 : 1);
  }
  switch (kind_of(flag)) {
    case Value::kNone:
      break;
    case Value::kFile:
      out += " -r -F";
      break;
    case Value::kFolder:
      out += " -x -a '(__fish_complete_directories)'";
      break;
    case Value::kChoice:
      out += fmt::format(" -x -a '{}'", fmt::join(flag.choices, " "));
      break;
    case Value::kKey:
      out += " -x -a \"$__touchstone_keys\"";
      break;
    case Value::kOther:
      out += " -x";
      break;
  }
  return out + " -d " + quoted(flag.description, kQuote) + "\n";
}

}  // namespace

std::string bash_completion(const CommandInfo& program, const OptionKeys& keys) {
  std::string out = fmt::format(
      "# Completions of touchstone for bash; `touchstone completion bash` prints this file.\n"
      "_touchstone() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path= flags= words= i\n"
      "  local keys='{}'\n"
      "  COMPREPLY=()\n"
      "  # bash makes a word of the \"=\" between a flag and its value.\n"
      "  if [ \"$word\" = = ]; then word=; elif [ \"$before\" = = ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$path ${{COMP_WORDS[i]}}\" in\n",
      fmt::join(keys, " "));
  for_each_command(program, "", [&](const CommandInfo&, const std::string& words) {
    if (words.empty()) return;
    const auto blank = words.rfind(' ');
    const auto parent = blank == std::string::npos ? std::string() : words.substr(0, blank);
    out += fmt::format("      '{} {}') path='{}' ;;\n", parent,
                       words.substr(blank == std::string::npos ? 0 : blank + 1), words);
  });
  out += "    esac\n  done\n  case $path in\n";
  for_each_command(program, "", [&](const CommandInfo& command, const std::string& words) {
    out += bash_command(command, program, words);
  });
  return out +
         "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
         "  elif [ -n \"$words\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "    compopt -o filenames 2>/dev/null\n"
         "  fi\n"
         "}\n"
         "complete -F _touchstone touchstone\n";
}

std::string zsh_completion(const CommandInfo& program, const OptionKeys& keys) {
  std::string out = fmt::format(
      "#compdef touchstone\n"
      "# Completions of touchstone for zsh; `touchstone completion zsh` prints this file.\n"
      "_touchstone_command() {{\n"
      "  local curcontext=$curcontext state line\n"
      "  local -a keys=({})\n"
      "  case $1 in\n",
      fmt::join(keys, " "));
  for_each_command(program, "", [&](const CommandInfo& command, const std::string& words) {
    out += zsh_command(command, program, words);
  });
  return out +
         "  esac\n"
         "}\n"
         "_touchstone() { _touchstone_command ''; }\n"
         "if [ \"$funcstack[1]\" = _touchstone ]; then _touchstone \"$@\"; else compdef _touchstone touchstone; fi\n";
}

std::string fish_completion(const CommandInfo& program, const OptionKeys& keys) {
  std::vector<std::string> with_sign;
  for (const auto& key : keys) with_sign.push_back(key + "=");
  std::string out = fmt::format(
      "# Completions of touchstone for fish; `touchstone completion fish` prints this file.\n"
      "set -g __touchstone_keys '{}'\n",
      fmt::join(with_sign, " "));
  const auto names = names_of(program.commands);
  out += fmt::format("set -g __touchstone_commands {}\n", fmt::join(names, " "));
  for (const auto& command : program.commands)
    out += fmt::format(
        "complete -c touchstone -f -n 'not __fish_seen_subcommand_from $__touchstone_commands' -a {} -d {}\n",
        command.name, quoted(command.description, "\\'"));
  for (const auto& flag : program.flags) out += fish_flag(flag, "");
  for (const auto& command : program.commands) {
    const auto seen = fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name);
    for (const auto& flag : command.flags) {
      if (flag.names != std::vector<std::string>{"-h", "--help"}) out += fish_flag(flag, seen);
    }
    if (!command.positionals.empty() && !command.positionals.front().choices.empty())
      out +=
          fmt::format("complete -c touchstone{} -a '{}'\n", seen, fmt::join(command.positionals.front().choices, " "));
    for (const auto& part : command.commands) {
      out += fmt::format("complete -c touchstone{} -a {} -d {}\n", seen, part.name, quoted(part.description, "\\'"));
      const auto below = fmt::format(" -n '__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}'",
                                     command.name, part.name);
      for (const auto& flag : part.flags) {
        if (flag.names != std::vector<std::string>{"-h", "--help"}) out += fish_flag(flag, below);
      }
    }
  }
  return out;
}

}  // namespace touchstone::cli::completion
