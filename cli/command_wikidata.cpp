#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/display_text.hpp"
#include "common/json_writer.hpp"
#include "common/log.hpp"
#include "common/stop.hpp"
#include "extractors/wikidata/entity_dump.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

namespace wikidata = extractors::wikidata;

struct WikidataFlags {
  std::vector<std::string> files;
  std::string format = "text";
  int threads = 0;
};

struct FileCounts {
  std::string file;
  wikidata::DumpCounts counts;
};

std::vector<FileCounts> count_files(const WikidataFlags& flags, const StopFlag& stop) {
  std::vector<FileCounts> found;
  for (const auto& file : flags.files) {
    wikidata::DumpOptions options;
    options.threads =
        flags.threads > 0 ? flags.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    extractors::dump::ByteSourceOptions source;
    source.digests = false;
    source.decompress_threads = options.threads;
    source.stop = &stop;
    found.push_back({file, wikidata::read_entities(extractors::dump::open_byte_source(file, source), options, stop,
                                                   [](wikidata::Entity&&) {})});
    if (!found.back().counts.complete)
      log_warn("{}: ends without the line ] of a whole dump; download it again unless it is a part of one",
               display_text(file));
  }
  return found;
}

std::string json_of(const std::vector<FileCounts>& found) {
  std::uint64_t entities = 0, sitelinks = 0, labels = 0, bad = 0;
  for (const auto& [file, counts] : found) {
    entities += counts.entities;
    sitelinks += counts.sitelinks;
    labels += counts.labels;
    bad += counts.bad;
  }
  JsonWriter out;
  out.begin_object().field("entities", entities).field("sitelinks", sitelinks).field("labels", labels);
  out.key("bad_lines").begin_array();
  for (const auto& [file, counts] : found) {
    for (const auto& line : counts.bad_lines)
      out.begin_object()
          .field("offset", line.offset)
          .field("reason", line.error.reason())
          .field("file", file)
          .end_object();
  }
  return out.end_array().field("bad", bad).end_object().take_line();
}

std::string text_of(const std::vector<FileCounts>& found) {
  std::string text;
  for (const auto& [file, counts] : found) {
    text += fmt::format("{}: {} entities, {} sitelinks, {} labels, {} bad lines\n", display_text(file), counts.entities,
                        counts.sitelinks, counts.labels, counts.bad);
    for (const auto& line : counts.bad_lines)
      text += fmt::format("  byte {}: {}\n", line.offset, display_text(line.error.reason()));
    if (counts.bad > counts.bad_lines.size())
      text += fmt::format("  and {} more\n", counts.bad - counts.bad_lines.size());
  }
  return text;
}

}  // namespace

void add_wikidata(CLI::App* app, Context&) {
  auto flags = std::make_shared<WikidataFlags>();
  auto* command = app->add_subcommand("wikidata", "Check JSON dumps of Wikidata and count what they hold");
  command->add_option("files", flags->files, "JSON dumps, one entity a line (.json, .gz, .bz2 or .zst)")
      ->required()
      ->type_name("FILE");
  command->add_option("--format", flags->format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  add_threads(command, flags->threads);
  add_footer(command);
  command->callback([flags] {
    const auto found = count_files(*flags, install_stop_signals());
    print(flags->format == "json" ? json_of(found) : text_of(found));
  });
}

}  // namespace touchstone::cli
