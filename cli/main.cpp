#include "cli/command.hpp"
#include "common/display_text.hpp"
#include "common/edit_distance.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "common/secrets.hpp"
#include "common/system_failure.hpp"
#include "common/version.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

using namespace touchstone;

/// A message may be a list of problems, a line each, and quotes what the user and files say.
std::string shown(std::string_view message) {
  constexpr std::string_view kNextProblem = "\n       ";
  std::string out;
  for (;;) {
    const auto end = message.find(kNextProblem);
    out += display_text(message.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += kNextProblem;
    message.remove_prefix(end + kNextProblem.size());
  }
}

/// The only place that reports errors to the user: as a sentence, or as a JSON line with --log-format=json.
int report(const cli::Context& context, const char* kind, const std::string& message, cli::ExitStatus status) {
  if (context.log_format == "json") {
    log_line(LogLevel::kError, message);
  } else {
    std::string text = message;
    hide_secrets(text);
    const bool colour = context.has_colour();
    std::fprintf(stderr, "%s%s:%s %s\n", colour ? "\033[1;31m" : "", kind, colour ? "\033[0m" : "",
                 shown(text).c_str());
  }
  return static_cast<int>(status);
}

/// Whether a flag, as it is typed, takes the word behind it as its value.
bool takes_next_word(CLI::App* command, const std::string& word) {
  const auto flags = cli::command_info(command).flags;
  return std::any_of(flags.begin(), flags.end(), [&](const auto& flag) {
    return !flag.value.empty() && std::find(flag.names.begin(), flag.names.end(), word) != flag.names.end();
  });
}

/// "; did you mean --work?" for the first flag of the command line that the command does not have.
std::string nearest_flag(CLI::App* command, int argc, char** argv) {
  std::vector<std::string> names;
  for (const auto& flag : cli::command_info(command).flags)
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    if (word.starts_with("--") && std::find(names.begin(), names.end(), word) == names.end())
      return did_you_mean(word, names);
  }
  return {};
}

/// The message about a long flag in front of a command, if there is no such flag; else empty.
std::string unknown_flag(CLI::App* command, const std::vector<cli::completion::FlagInfo>& of_all_commands,
                         const std::string& word) {
  std::vector<std::string> names;
  for (const auto& flag : cli::command_info(command).flags)
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  for (const auto& flag : of_all_commands) names.insert(names.end(), flag.names.begin(), flag.names.end());
  const std::string name = word.substr(0, word.find('='));
  if (!name.starts_with("--") || std::find(names.begin(), names.end(), name) != names.end()) return {};
  return "there is no flag " + name + did_you_mean(name, names);
}

/// If a word is an unknown command, CLI11 only reports a missing sub-command.
std::string usage_message(CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  CLI::App* command = &app;
  std::string words;
  const auto app_flags = cli::command_info(command).flags;
  for (int i = 1; i < argc && !cli::sub_commands(command).empty(); ++i) {
    const std::string word = argv[i];
    if (word.starts_with("-")) {
      if (takes_next_word(command, word)) ++i;
      if (const auto unknown = unknown_flag(command, app_flags, word); !unknown.empty())
        return unknown + "; see touchstone " + words + "--help";
      continue;
    }
    auto* part = cli::find_sub_command(command, word);
    if (part == nullptr) return cli::no_such_command(command, words, word);
    command = part;
    words += word + " ";
  }
  std::string message = error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    message += nearest_flag(command, argc, argv);
  const bool of_all_commands = std::any_of(app_flags.begin(), app_flags.end(), [&](const auto& flag) {
    return message.starts_with(flag.names.back() + ":");
  });
  return message + "; see touchstone " + (of_all_commands ? "" : words) + "--help";
}

/// A command and what adds it to the command line, in the order and under the headlines of --help.
struct CommandGroup {
  const char* headline;
  std::vector<void (*)(CLI::App*, cli::Context&)> add;
};

std::vector<CommandGroup> command_groups() {
  using namespace cli;
  return {{"Build collections", {add_download, add_survey, add_build, add_campaign, add_shard}},
          {"Look into a build", {add_status, add_show, add_config}},
          {"Check collections", {add_validate, add_health, add_audit, add_diff, add_stale, add_snapshots}},
          {"Score and compare systems",
           {add_retrieve, add_evaluate, add_compare, add_fuse, add_correlate, add_agree, add_qrels, add_reliability,
            add_study, add_trust, add_adjudicate}},
          {"Let people judge", {add_snippets, add_annotate, add_vote}},
          {"Read and convert files", {add_parse, add_links, add_sql, add_wikidata, add_link_entities, add_car}},
          {"Single stages of a build", {add_stages}},
          {"About the program", {add_help, add_completion}}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Build retrieval test collections from wikis and measure how reliable they are.", "touchstone");
  cli::Context context;
  app.formatter(std::make_shared<cli::HelpFormatter>());
  app.set_version_flag("--version", std::string("touchstone ") + program_version());
  app.add_flag("-v,--verbose", context.verbose, "More detail on standard error");
  app.add_option("--log-format", context.log_format, "Format of log lines: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app.add_option("--progress", context.progress,
                 "Progress bar: auto (on a terminal; otherwise one line each minute), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  app.add_option("--color", context.colour,
                 "Colours on standard error: auto (on a terminal, unless NO_COLOR is set), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  app.require_subcommand(1);
  app.fallthrough();
  app.parse_complete_callback([&] {
    configure_log(context.verbose ? LogLevel::kDebug : LogLevel::kInfo,
                  context.log_format == "json" ? LogFormat::kJson : LogFormat::kText,
                  context.has_colour() ? LogColour::kAlways : LogColour::kNever);
  });
  for (const auto& group : command_groups()) {
    const auto before = cli::sub_commands(&app).size();
    for (const auto add : group.add) add(&app, context);
    const auto commands = cli::sub_commands(&app);
    for (std::size_t i = before; i < commands.size(); ++i) commands[i]->group(group.headline);
  }
  cli::add_footer(&app, cli::ExitStatus::kStale);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return report(context, "error", usage_message(app, error, argc, argv), cli::ExitStatus::kWrongUsage);
  } catch (const ConfigError& error) {
    return report(context, "error", error.what(), cli::ExitStatus::kWrongUsage);
  } catch (const Interrupted& error) {
    return report(context, "stopped", error.what(), cli::ExitStatus::kStopped);
  } catch (const Error& error) {
    return report(context, "error", error.what(), cli::ExitStatus::kFailed);
  } catch (const std::system_error& error) {  // of file system functions and threads of the standard library
    return report(context, "error", failure_text(error), cli::ExitStatus::kFailed);
  } catch (const std::bad_alloc&) {
    return report(context, "error", "out of memory; lower ingest.slots or link.sort_memory_bytes, or use fewer threads",
                  cli::ExitStatus::kFailed);
  } catch (const std::exception& error) {
    return report(context, "error", std::string("unexpected: ") + error.what() + "; please report it",
                  cli::ExitStatus::kFailed);
  }
  // If the output could not be written, the command has failed.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "error: cannot write to standard output\n");
    return static_cast<int>(cli::ExitStatus::kFailed);
  }
  return static_cast<int>(context.exit_status);
}
