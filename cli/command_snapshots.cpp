#include "cli/command.hpp"
#include "common/stop.hpp"
#include "pipeline/difference/snapshots.hpp"

#include <cstdio>

namespace touchstone::cli {

void add_snapshots(CLI::App* app, Context& context) {
  struct Flags {
    std::vector<std::string> collections;
    std::string out, at_most, format = "text";
    bool withhold_known = false;
  };
  auto flags = std::make_shared<Flags>();
  auto* command =
      app->add_subcommand("snapshots", "Write collections of several months as slices of a shared task (LongEval)");
  command->add_option("COLLECTION", flags->collections, "Evidence collections of one wiki, the oldest first")
      ->required()
      ->type_name("DIR...");
  command->add_option("--out", flags->out, "Folder to make, with a folder for each slice")
      ->required()
      ->type_name("DIR");
  command->add_flag("--withhold-known", flags->withhold_known,
                    "Leave labels that earlier slices tell out of the last slice's qrels");
  command
      ->add_option("--at-most", flags->at_most,
                   "End with status 5 if earlier slices tell a larger share of the last slice's labels, such as 10%")
      ->type_name("SHARE");
  command->add_option("--format", flags->format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  add_footer(command, ExitStatus::kStale);
  command->callback([=, &context] {
    namespace difference = pipeline::difference;
    const auto most = flags->at_most.empty() ? 1 : share_of("--at-most", flags->at_most);
    difference::SnapshotOptions options{{}, flags->out, flags->withhold_known};
    options.collections.assign(flags->collections.begin(), flags->collections.end());
    const auto slices = difference::write_snapshots(options, install_stop_signals());
    std::fputs((flags->format == "json" ? difference::slices_json(slices) : difference::slices_text(slices)).c_str(),
               stdout);
    const auto& last = slices.back();
    if (last.topics == 0) context.exit_status = ExitStatus::kNoTopics;
    if (static_cast<double>(last.known_labels) > most * static_cast<double>(last.labels))
      context.exit_status = ExitStatus::kStale;
  });
}

}  // namespace touchstone::cli
