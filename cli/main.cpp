#include "cli/command.hpp"
#include "cli/help_formatter.hpp"
#include "common/display_text.hpp"
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
int report(const cli::Context& context, const char* kind, const std::string& message, int status) {
  if (context.log_format == "json") {
    log_line(LogLevel::kError, message);
  } else {
    std::string text = message;
    hide_secrets(text);
    std::fprintf(stderr, "%s: %s\n", kind, shown(text).c_str());
  }
  return status;
}

/// If the first word is an unknown command, CLI11 only reports a missing sub-command.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-') {
    const std::string word = argv[1];
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    const bool known =
        std::any_of(commands.begin(), commands.end(), [&](const auto* c) { return c->get_name() == word; });
    if (!known) return "there is no command \"" + word + "\"; touchstone --help lists them";
    const auto* command = app.get_subcommand(word);
    const auto parts = command->get_subcommands([](const CLI::App*) { return true; });
    if (!parts.empty() && command->get_subcommands().empty() && argc > 2 && argv[2][0] != '-')
      return "there is no command \"" + word + " " + argv[2] + "\"; touchstone " + word + " --help lists them";
    return std::string(error.what()) + "; see touchstone " + word + " --help";
  }
  return std::string(error.what()) + "; see touchstone --help";
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
  app.require_subcommand(1);
  app.fallthrough();
  app.parse_complete_callback([&] {
    configure_log(context.verbose ? LogLevel::kDebug : LogLevel::kInfo,
                  context.log_format == "json" ? LogFormat::kJson : LogFormat::kText);
  });
  cli::add_build(app, context);
  cli::add_stages(app, context);
  cli::add_status(app, context);
  cli::add_show(app, context);
  cli::add_parse(app, context);
  cli::add_links(app, context);
  cli::add_validate(app, context);
  cli::add_evaluate(app, context);
  cli::add_compare(app, context);
  cli::add_fuse(app, context);
  cli::add_correlate(app, context);
  cli::add_agree(app, context);
  cli::add_qrels(app, context);
  cli::add_reliability(app, context);
  cli::add_car(app, context);
  cli::add_config(app, context);
  cli::add_footer(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return report(context, "error", usage_message(app, error, argc, argv), 2);
  } catch (const ConfigError& error) {
    return report(context, "error", error.what(), 2);
  } catch (const Interrupted& error) {
    return report(context, "stopped", error.what(), 3);
  } catch (const Error& error) {
    return report(context, "error", error.what(), 1);
  } catch (const std::system_error& error) {  // of file system functions and threads of the standard library
    return report(context, "error", failure_text(error), 1);
  } catch (const std::bad_alloc&) {
    return report(context, "error", "out of memory; lower ingest.slots or link.sort_memory_bytes, or use fewer threads",
                  1);
  } catch (const std::exception& error) {
    return report(context, "error", std::string("unexpected: ") + error.what() + "; please report it", 1);
  }
  // If the output could not be written, the command has failed.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "error: cannot write to standard output\n");
    return 1;
  }
  return context.exit_status;
}
