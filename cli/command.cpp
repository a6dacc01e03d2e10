#include "cli/command.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/stage_table.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

namespace touchstone::cli {

bool Context::has_colour() const {
  if (colour != "auto") return colour == "always";
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0') && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

ProgressMode Context::progress_mode() const {
  if (progress == "always") return ProgressMode::kAlways;
  return progress == "never" ? ProgressMode::kNever : ProgressMode::kAuto;
}

void WorkFlags::add_to(CLI::App* command, unsigned groups) {
  command->add_option("--work", work, "Work directory: store, intermediate files and results")
      ->required((groups & kWorkIsOptional) == 0)
      ->type_name("DIR");
  if ((groups & kSources) != 0) add_sources(command);
  if ((groups & kReplace) != 0) {
    command->add_flag("--replace", replace,
                      "Let a dump of another wiki, or an older one, take the place of what the work directory holds");
  }
  if ((groups & kConfig) != 0) {
    command->add_option("--config", config_file, "File with options in TOML; see touchstone config --show")
        ->type_name("FILE");
    command->add_option("--set", assignments, "Set one option; overrides the file")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
  }
  if ((groups & kRun) != 0) {
    add_threads(command, threads);
    command->add_flag("--dry-run", dry_run, "Print which stages would run and why, then exit");
    command->add_flag("--force", force, "Run stages again even if they are done");
  }
  add_footer(command);
}

void WorkFlags::add_shards(CLI::App* command) {
  command
      ->add_option("--executor", executor,
                   "Who maps the shards: local (this process), slurm (jobs of a cluster), or others, for whom prepare "
                   "begins a stage and merge ends it")
      ->check(one_of({"local", "slurm", "prepare", "merge"}))
      ->type_name("EXECUTOR");
  command->add_option("--shards", shards, "Cut stages into N verified parts (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 10000));
}

void WorkFlags::add_sources(CLI::App* command) {
  for (const auto& kind : pipeline::corpus::page_file_kinds()) {
    auto* flag = command->add_option_function<std::vector<std::string>>(
        std::string(kind.flag),
        [this, &kind](const std::vector<std::string>& files) {
          for (const auto& file : files) sources.push_back({file, std::string(kind.name)});
        },
        std::string(kind.summary));
    flag->type_name("FILE")->expected(1, -1);
  }
}

void add_footer(CLI::App* command, ExitStatus last) {
  constexpr std::size_t kWidth = 80;
  std::string text = "Exit status:";
  std::size_t line = 0;
  for (const auto& [status, meaning] : kExitStatuses) {
    const std::string entry = fmt::format(" {} {}{}", static_cast<int>(status), meaning, status == last ? "." : ",");
    if (text.size() - line + entry.size() > kWidth) {
      text += "\n ";
      line = text.size() - 1;
    }
    text += entry;
    if (status == last) break;
  }
  command->footer(text);
}

namespace {

/// Texts as a TOML list, whatever bytes they hold.
std::string as_toml_list(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const auto& text : texts) {
    list += list.size() > 1 ? ", \"" : "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') list += '\\';
      list += c;
    }
    list += '"';
  }
  return list + "]";
}

}  // namespace

void WorkFlags::add_shorthand(CLI::App* command, const pipeline::flow::Shorthand& shorthand) {
  if (shorthand.type_name.empty()) {
    command->add_flag_callback(
        std::string(shorthand.flag), [this, key = std::string(shorthand.key)] { assignments.push_back(key + "=true"); },
        std::string(shorthand.summary));
    return;
  }
  if (shorthand.is_list) {
    command
        ->add_option_function<std::vector<std::string>>(
            std::string(shorthand.flag),
            [this, key = std::string(shorthand.key)](const std::vector<std::string>& values) {
              assignments.push_back(key + "=" + as_toml_list(values));
            },
            std::string(shorthand.summary))
        ->type_name(std::string(shorthand.type_name))
        ->expected(1, -1);
    return;
  }
  command
      ->add_option_function<std::string>(
          std::string(shorthand.flag),
          [this, key = std::string(shorthand.key)](const std::string& value) {
            assignments.push_back(key + "=" + value);
          },
          std::string(shorthand.summary))
      ->type_name(std::string(shorthand.type_name));
}

Settings load_settings(const WorkFlags& flags, const std::string& stored) {
  auto settings = pipeline::stage_graph().settings();
  if (!flags.config_file.empty()) {
    settings.read_file(flags.config_file);
  } else if (!stored.empty()) {
    settings.read_text(stored, "last run in " + flags.work);
  }
  for (const auto& assignment : flags.assignments) settings.read_assignment(assignment);
  settings.check();
  settings.throw_if_problems();
  return settings;
}

Settings load_run_settings(const WorkFlags& flags) {
  const auto stored = pipeline::flow::Runner::stored_config(flags.work);
  auto settings = load_settings(flags, stored);
  if (flags.config_file.empty() && !stored.empty())
    log_info("the options are those of the last run in {}; --config FILE replaces them, --set changes one", flags.work);
  return settings;
}

void run_and_print(const pipeline::flow::Build& build, bool dry_run) {
  auto& stop = install_stop_signals();
  const auto text = dry_run ? dry_run_text(build, stop) : run_build(build, stop);
  std::fputs(display_lines(text).c_str(), stdout);
}

pipeline::flow::RunOptions run_options(const WorkFlags& flags, const Context& context) {
  // Page numbers of two kinds of sources would collide.
  for (const auto& source : flags.sources) {
    if (source.kind != flags.sources.front().kind)
      throw ConfigError(
          "one work directory holds pages of one kind: give --dump or --pages; for a wiki beside a book, build the "
          "wiki "
          "in a work directory of its own and name that with --knowledge");
  }
  pipeline::flow::RunOptions run;
  run.work = flags.work;
  run.sources = flags.sources;
  run.threads = flags.threads > 0 ? flags.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  run.shards = static_cast<std::uint32_t>(flags.shards);
  using pipeline::flow::RunPart;
  if (flags.executor == "merge") run.part = RunPart::kMerge;
  if (flags.executor == "prepare") run.part = RunPart::kPrepare;
  run.progress = context.progress_mode();
  run.force = flags.force;
  run.replace = flags.replace;
  run.ask_again = flags.ask_again;
  return run;
}

}  // namespace touchstone::cli
