#include "cli/command_car.hpp"
#include "cli/statistics_flags.hpp"
#include "collection/automatic/qrels_folder.hpp"
#include "common/display_text.hpp"
#include "common/json_writer.hpp"
#include "common/log.hpp"
#include "common/number_text.hpp"
#include "formats/fields/quote.hpp"

#include <cstdint>

namespace touchstone::cli {
namespace {

namespace automatic = collection::automatic;

struct DeriveFlags {
  std::string pages, out, format = "text";
  automatic::QrelsFolderOptions options;
};

std::string derived_json(const automatic::QrelsFolder& written) {
  JsonWriter json({.indent = 2});
  json.begin_object().field("pages", written.pages).field("shared_ids", written.shared_ids).key("files").begin_array();
  for (const auto& [name, count] : written.files) {
    json.begin_object()
        .field("file", name)
        .field("judgments", count.judgments)
        .field("topics", count.topics)
        .end_object();
  }
  return json.end_array().end_object().take_line();
}

std::string counted(std::uint64_t count, const char* noun) {
  return with_commas(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string derived_text(const automatic::QrelsFolder& written, const std::string& folder) {
  std::string text;
  for (const auto& [name, count] : written.files) {
    text += display_text(folder + "/" + name) + ": " + counted(count.judgments, "judgment") + ", " +
            counted(count.topics, "topic") + "\n";
  }
  return text;
}

}  // namespace

void add_car_derive(Command car, Context&) {
  auto flags = std::make_shared<DeriveFlags>();
  Command command = car.add_subcommand(
      "derive", "Write qrels of passages and entities that follow from titles, headings and links of pages");
  command
      .add_option("PAGES", flags->pages,
                  "Pages in CBOR of any version or JSON lines, or hierarchical qrels, plain or .gz")
      .required()
      .type_name("");
  command
      .add_option("--out", flags->out,
                  "Folder for {article,toplevel,hierarchical,tree}{,.entity}.qrels; qrels give no .entity.qrels")
      .required()
      .type_name("DIR");
  command.add_flag("--list-items", flags->options.list_items, "Items of lists are passages too");
  command.add_flag("--captions", flags->options.captions, "Captions of images are passages too");
  command.add_option("--format", flags->format, "text or json").one_of({"text", "json"}).type_name("FORMAT");
  add_footer(command);
  command.callback([flags] {
    require_files({flags->pages});
    const auto written = automatic::derive_qrels_folder(flags->pages, flags->out, flags->options);
    if (!written.shared_ids.empty()) {
      log_warn("{}: pages of different titles share an id, and their judgments are one topic's: {}; ids like it: {}",
               flags->pages, formats::fields::quote_for_message(written.shared_ids.front()), written.shared_ids.size());
    }
    print(flags->format == "json" ? derived_json(written) : derived_text(written, flags->out));
  });
}

}  // namespace touchstone::cli
