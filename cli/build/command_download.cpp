#include "cli/command.hpp"
#include "common/error.hpp"
#include "common/stop.hpp"
#include "pipeline/download/download.hpp"

#include <algorithm>
#include <cstdio>

namespace touchstone::cli {
namespace {

namespace download = pipeline::download;

struct DownloadFlags {
  std::string wiki, date = "latest", folder = ".", mirror{download::kWikimedia}, format = "text";
  std::vector<std::string> what = {"xml"};
  int retries = 8;
  bool dry_run = false;
};

download::DownloadOptions options_of(const DownloadFlags& flags, const Context& context) {
  const auto wants = [&](const char* word) { return std::ranges::find(flags.what, word) != flags.what.end(); };
  download::DownloadOptions options;
  options.wanted = {flags.mirror,         flags.wiki,   flags.date,       wants("xml"),
                    wants("multistream"), wants("sql"), wants("wikidata")};
  options.folder = flags.folder;
  options.patience.max_failures = flags.retries;
  options.dry_run = flags.dry_run;
  options.progress = context.progress_mode();
  if (options.folder.empty()) throw ConfigError("--out names no folder");
  return options;
}

}  // namespace

void add_download(CLI::App* app, Context& context) {
  auto flags = std::make_shared<DownloadFlags>();
  auto* command = app->add_subcommand("download", "Fetch the dumps that a build reads, and check them");
  command->add_option("--wiki", flags->wiki, "Name of the wiki's database, such as simplewiki")->type_name("WIKI");
  command
      ->add_option("--date", flags->date, "Day of the dump, such as 20261101; latest (default) is the newest complete")
      ->type_name("DATE");
  command
      ->add_option("--what", flags->what,
                   "Words with commas between them: xml (pages, default), multistream (pages with their index), sql "
                   "(tables), wikidata")
      ->delimiter(',')
      ->check(one_of({"xml", "multistream", "sql", "wikidata"}))
      ->type_name("WORDS");
  command->add_option("--out", flags->folder, "Folder for the files (default: the current one)")->type_name("DIR");
  command
      ->add_option("--mirror", flags->mirror,
                   "Address of the folder with the wikis' folders (default: " + flags->mirror + ")")
      ->type_name("URL");
  command->add_option("--retries", flags->retries, "Failures in a row before it gives up (default: 8)")
      ->check(CLI::Range(0, 1000))
      ->type_name("N");
  command->add_flag("--dry-run", flags->dry_run, "Only list the files and their sizes");
  command->add_option("--format", flags->format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  add_footer(command);
  command->callback([=, &context] {
    const auto report = download::download(options_of(*flags, context), install_stop_signals());
    std::fputs((flags->format == "json" ? download::download_json(report) : download::download_text(report)).c_str(),
               stdout);
  });
}

}  // namespace touchstone::cli
