#pragma once

#include "cli/command_line.hpp"
#include "cli/exit_status.hpp"
#include "common/progress.hpp"
#include "common/settings.hpp"
#include "pipeline/flow/build.hpp"
#include "pipeline/flow/runner.hpp"

#include <memory>
#include <string>
#include <vector>

namespace touchstone::cli {

/// Shared by all sub-commands. main fills it before the sub-command runs.
struct Context {
  ExitStatus exit_status = ExitStatus::kDone;
  bool verbose = false;
  std::string log_format = "text";
  std::string progress = "auto";
  std::string colour = "auto";

  /// Whether standard error gets colours: on a terminal, unless the environment says NO_COLOR or TERM=dumb.
  bool has_colour() const;
  ProgressMode progress_mode() const;
};

// Each function registers one sub-command with its flags. The callback runs it, and sets
// `context.exit_status` unless it is kDone. Commands throw errors (common/error.hpp); main reports them.
void add_build(Command app, Context& context);
void add_stages(Command app, Context& context);
void add_status(Command app, Context& context);
void add_survey(Command app, Context& context);
void add_show(Command app, Context& context);
void add_parse(Command app, Context& context);
void add_links(Command app, Context& context);
void add_sql(Command app, Context& context);
void add_link_entities(Command app, Context& context);
void add_validate(Command app, Context& context);
void add_health(Command app, Context& context);
void add_config(Command app, Context& context);
void add_car(Command app, Context& context);
void add_compare(Command app, Context& context);
void add_fuse(Command app, Context& context);
void add_adjudicate(Command app, Context& context);
void add_correlate(Command app, Context& context);
void add_agree(Command app, Context& context);
void add_qrels(Command app, Context& context);
void add_reliability(Command app, Context& context);
void add_diff(Command app, Context& context);
void add_retrieve(Command app, Context& context);
void add_study(Command app, Context& context);
void add_trust(Command app, Context& context);
void add_evaluate(Command app, Context& context);
void add_help(Command app, Context& context);
void add_completion(Command app, Context& context);

/// That a word names no command, and the one that may be meant.
/// \param words_before  the commands that lead to it, each with a blank behind it: "car "
std::string no_such_command(Command parent, const std::string& words_before, const std::string& word);

/// Flags of every command that works in a --work directory with a configuration.
struct WorkFlags {
  std::string work;
  std::string config_file;
  std::vector<std::string> assignments;
  std::vector<pipeline::flow::SourceInput> sources;  ///< files of pages, of one kind
  int threads = 0;
  int shards = 1;
  std::string executor = "local";
  bool dry_run = false;
  bool force = false;
  bool replace = false;
  bool ask_again = false;

  enum Groups : unsigned { kConfig = 1, kSources = 2, kRun = 4, kReplace = 8, kWorkIsOptional = 16 };
  /// Adds the flags; `groups` is a sum of Groups.
  void add_to(Command command, unsigned groups);
  /// Adds the flags that name files of pages, one a kind.
  void add_sources(Command command);
  /// Adds the flags that say how stages are cut and who runs the parts.
  void add_shards(Command command);
  /// Adds a flag that sets one option.
  void add_shorthand(Command command, const pipeline::flow::Shorthand& shorthand);
};

/// The effective options of a command: those of the flags over those of the file. Throws ConfigError with all that is
/// wrong with them.
/// \param stored  options of the last run in the work directory, used if no file is given; empty before the first run
Settings load_settings(const WorkFlags& flags, const std::string& stored);

pipeline::flow::RunOptions run_options(const WorkFlags& flags, const Context& context);

/// The settings of a run: those of `--config`, else those of the last run in the work directory, which the log says.
/// Throws ConfigError.
Settings load_run_settings(const WorkFlags& flags);

/// Runs a build, or says what it would do, and prints what it has to say.
void run_and_print(const pipeline::flow::Build& build, bool dry_run);

/// Adds the exit statuses to the end of --help.
/// \param last  the highest status that the command ends with
void add_footer(Command command, ExitStatus last = ExitStatus::kStopped);

}  // namespace touchstone::cli
