#include "cli/command.hpp"

#include "common/error.hpp"
#include "common/log.hpp"

#include <algorithm>
#include <thread>

namespace touchstone::cli {

ProgressMode Context::progress_mode() const {
  if (progress == "always") return ProgressMode::kAlways;
  return progress == "never" ? ProgressMode::kNever : ProgressMode::kAuto;
}

void WorkFlags::add_to(CLI::App& command, unsigned groups) {
  command.add_option("--work", work, "Work directory: store, intermediate files and results")
      ->required()
      ->type_name("DIR");
  if ((groups & kDump) != 0) {
    command.add_option("--dump", dumps, "MediaWiki XML dumps, one or more; - reads standard input")
        ->type_name("FILE")
        ->expected(1, -1);
  }
  if ((groups & kConfig) != 0) {
    command.add_option("--config", config_file, "File with options in TOML; see touchstone config --show")
        ->type_name("FILE");
    command.add_option("--set", assignments, "Set one option; overrides the file")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
  }
  if ((groups & kRun) != 0) {
    command.add_option("-j,--threads", threads, "Worker threads (default: all cores)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    command.add_flag("--dry-run", dry_run, "Print which stages would run and why, then exit");
    command.add_flag("--force", force, "Run stages again even if they are done");
  }
  add_footer(command);
}

void add_footer(CLI::App& command) {
  command.footer("Exit status: 0 done, 1 failed, 2 wrong usage, 3 stopped early and resumable.");
}

LoadedConfig::LoadedConfig(const WorkFlags& flags, const std::string& stored)
    : options_(pipeline::bind_options(config_)) {
  if (!flags.config_file.empty()) {
    options_.read_file(flags.config_file);
  } else if (!stored.empty()) {
    options_.read_text(stored, "last run in " + flags.work);
  }
  for (const auto& assignment : flags.assignments) options_.read_assignment(assignment);
  pipeline::check_combinations(config_, options_);
  options_.throw_if_problems();
}

pipeline::RunOptions run_options(const WorkFlags& flags, const Context& context) {
  pipeline::RunOptions run;
  run.work = flags.work;
  run.dumps.assign(flags.dumps.begin(), flags.dumps.end());
  run.threads = flags.threads > 0 ? flags.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  run.progress = context.progress_mode();
  run.dry_run = flags.dry_run;
  run.force = flags.force;
  run.ask_unjudged_again = flags.retry_unjudged;
  return run;
}

}  // namespace touchstone::cli
