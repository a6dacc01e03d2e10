#include "cli/command.hpp"
#include "common/error.hpp"
#include "common/stop.hpp"
#include "pipeline/difference/staleness.hpp"

#include <cstdio>

namespace touchstone::cli {
namespace {

namespace difference = pipeline::difference;

struct StaleFlags {
  std::string collection, work, at_most, format = "text";
  std::vector<std::string> dumps;
};

difference::CurrentPages pages_of(const StaleFlags& flags, const StopFlag& stop) {
  if (flags.dumps.empty() == flags.work.empty())
    throw ConfigError("name the newer pages: either --dump FILE or --work DIR");
  if (!flags.work.empty()) return difference::pages_of_work(flags.work, stop);
  std::vector<pipeline::flow::SourceInput> dumps;
  for (const auto& dump : flags.dumps) dumps.push_back({dump});
  return difference::pages_of_dumps(dumps, stop);
}

}  // namespace

void add_stale(CLI::App* app, Context& context) {
  auto flags = std::make_shared<StaleFlags>();
  auto* command = app->add_subcommand("stale", "Tell how much of a collection still holds in a newer dump of its wiki");
  command->add_option("COLLECTION", flags->collection, "Directory of an evidence collection")
      ->required()
      ->type_name("DIR");
  command->add_option("--dump", flags->dumps, "Newer MediaWiki XML dumps of the wiki, one or more")
      ->type_name("FILE...")
      ->expected(1, -1);
  command->add_option("--work", flags->work, "Work directory that has the newer pages, instead of a dump")
      ->type_name("DIR");
  command
      ->add_option("--at-most", flags->at_most,
                   "End with status 5 if a larger share of the evidence is stale, such as 10% or 0.1")
      ->type_name("SHARE");
  command->add_option("--format", flags->format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  add_footer(command, ExitStatus::kStale);
  command->callback([=, &context] {
    const double most = flags->at_most.empty() ? 1 : share_of("--at-most", flags->at_most);
    const auto& stop = install_stop_signals();
    const auto found = difference::staleness_of(flags->collection, pages_of(*flags, stop), stop);
    std::fputs(
        (flags->format == "json" ? difference::staleness_json(found) : difference::staleness_text(found)).c_str(),
        stdout);
    if (found.evidence == 0) context.exit_status = ExitStatus::kNoTopics;
    if (found.share() > most) context.exit_status = ExitStatus::kStale;
  });
}

}  // namespace touchstone::cli
