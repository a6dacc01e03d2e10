#include "cli/command.hpp"
#include "cli/help_formatter.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "pipeline/runner.hpp"

#include <cstdio>

namespace {

using namespace touchstone;

int report(const std::exception& error, int status) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Builds retrieval test collections from wikis, and tells how far to trust them.",
               "touchstone");
  cli::Context context;
  app.formatter(std::make_shared<cli::HelpFormatter>());
  app.set_version_flag("--version", "touchstone " + pipeline::program_version());
  app.add_flag("-v,--verbose", context.verbose, "More detail on standard error");
  app.add_option("--log-format", context.log_format, "Log lines as text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  app.add_option("--progress", context.progress, "Progress: auto, always or never")
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
  cli::add_config(app, context);
  cli::add_footer(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const ConfigError& error) {
    return report(error, 2);
  } catch (const Interrupted& error) {
    return report(error, 3);
  } catch (const Error& error) {
    return report(error, 1);
  } catch (const std::bad_alloc& error) {
    std::fprintf(stderr, "error: out of memory; lower ingest.slots or link.sort_memory_bytes, or use fewer threads\n");
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: unexpected: %s; please report it\n", error.what());
    return 1;
  }
  // Output that did not reach its reader is a failure, not a success.
  if (std::fflush(stdout) != 0) {
    std::fprintf(stderr, "error: cannot write to standard output\n");
    return 1;
  }
  return context.exit_status;
}
