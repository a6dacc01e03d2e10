#pragma once

#include "cli/command_line.hpp"
#include "common/progress.hpp"
#include "common/settings.hpp"
#include "pipeline/flow/build.hpp"
#include "pipeline/flow/runner.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::inspection {
struct LinkSelection;
}  // namespace touchstone::pipeline::inspection

namespace touchstone::cli {

/// How a command ends. The numbers are what shells and scripts see.
enum class ExitStatus : int { kDone = 0, kFailed = 1, kWrongUsage = 2, kStopped = 3, kNoTopics = 4, kStale = 5 };

struct ExitStatusMeaning {
  ExitStatus status;
  std::string_view text;  ///< for --help
};

/// All statuses, in the order of their numbers. --help shows them; docs/man and docs/manual.md are checked against it.
inline constexpr ExitStatusMeaning kExitStatuses[] = {
    {ExitStatus::kDone, "done"},
    {ExitStatus::kFailed, "failed"},
    {ExitStatus::kWrongUsage, "wrong usage"},
    {ExitStatus::kStopped, "stopped early and resumable"},
    {ExitStatus::kNoTopics, "done, but there are no topics"},
    {ExitStatus::kStale, "done, but --at-most was exceeded"},
};

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
void add_download(CLI::App* app, Context& context);
void add_build(CLI::App* app, Context& context);
void add_shard(CLI::App* app, Context& context);
void add_campaign(CLI::App* app, Context& context);
void add_stages(CLI::App* app, Context& context);
void add_status(CLI::App* app, Context& context);
void add_survey(CLI::App* app, Context& context);
void add_show(CLI::App* app, Context& context);
void add_parse(CLI::App* app, Context& context);
void add_links(CLI::App* app, Context& context);
void add_sql(CLI::App* app, Context& context);
void add_wikidata(CLI::App* app, Context& context);
void add_link_entities(CLI::App* app, Context& context);
void add_validate(CLI::App* app, Context& context);
void add_health(CLI::App* app, Context& context);
void add_config(CLI::App* app, Context& context);
void add_car(CLI::App* app, Context& context);
void add_compare(CLI::App* app, Context& context);
void add_fuse(CLI::App* app, Context& context);
void add_adjudicate(CLI::App* app, Context& context);
void add_correlate(CLI::App* app, Context& context);
void add_agree(CLI::App* app, Context& context);
void add_qrels(CLI::App* app, Context& context);
void add_reliability(CLI::App* app, Context& context);
void add_diff(CLI::App* app, Context& context);
void add_snapshots(CLI::App* app, Context& context);
void add_audit(CLI::App* app, Context& context);
void add_stale(CLI::App* app, Context& context);
void add_retrieve(CLI::App* app, Context& context);
void add_snippets(CLI::App* app, Context& context);
void add_annotate(CLI::App* app, Context& context);
void add_vote(CLI::App* app, Context& context);
void add_study(CLI::App* app, Context& context);
void add_trust(CLI::App* app, Context& context);
void add_evaluate(CLI::App* app, Context& context);
void add_help(CLI::App* app, Context& context);
void add_completion(CLI::App* app, Context& context);

/// That a word names no command, and the one that may be meant.
/// \param words_before  the commands that lead to it, each with a blank behind it: "car "
std::string no_such_command(CLI::App* parent, const std::string& words_before, const std::string& word);

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
  void add_to(CLI::App* command, unsigned groups);
  /// Adds the flags that name files of pages, one a kind.
  void add_sources(CLI::App* command);
  /// Adds the flags that say how stages are cut and who runs the parts.
  void add_shards(CLI::App* command);
  /// Adds a flag that sets one option.
  void add_shorthand(CLI::App* command, const pipeline::flow::Shorthand& shorthand);
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
void add_footer(CLI::App* command, ExitStatus last = ExitStatus::kStopped);

/// Writes the links between the articles of a work directory to a new file, as lines of two titles. Returns their
/// number.
std::uint64_t write_links(const std::filesystem::path& work, const pipeline::inspection::LinkSelection& selection,
                          const std::filesystem::path& out);

/// After a build: if a collection has no topic, surveys the wiki, prints what to do next, and writes the settings that
/// it names to `survey-1.toml` and so on in the work directory. Returns whether it did.
/// \param target  what the user built: goes on with the command
bool advise_if_no_topics(const pipeline::flow::Build& build, const std::string& target);

}  // namespace touchstone::cli
