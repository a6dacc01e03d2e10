#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "collection/automatic/qrels_folder.hpp"
#include "common/display_text.hpp"
#include "common/json_writer.hpp"
#include "common/log.hpp"
#include "common/named_values.hpp"
#include "common/number_text.hpp"
#include "formats/car/check.hpp"
#include "formats/car/convert.hpp"
#include "formats/car/records.hpp"
#include "formats/car/view.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace touchstone::cli {
namespace {

namespace car = formats::car;

constexpr const char* kAnyFile = "CBOR of any version, JSON lines or qrels, plain or .gz";

void put_findings(JsonWriter& json, const char* name, const std::vector<car::Finding>& findings) {
  json.key(name).begin_array();
  for (const auto& finding : findings)
    json.begin_object().field("where", finding.where).field("what", finding.what).end_object();
  json.end_array();
}

std::string report_json(const car::CheckReport& report, const std::string& file) {
  JsonWriter json({.indent = 2});
  put_file_kind(json.begin_object().field("ok", report.ok()), file, report.kind);
  for (const auto& [name, count] : report.counts) json.field(name, count);
  json.field("problem_count", report.problem_count);
  put_findings(json, "problems", report.problems);
  json.field("remark_count", report.remark_count);
  put_findings(json, "remarks", report.remarks);
  return json.end_object().take_line();
}

std::string findings_text(const char* kind, const std::vector<car::Finding>& findings, std::uint64_t count) {
  std::string text;
  for (const auto& finding : findings) {
    text += std::string(kind) + ": " + (finding.where.empty() ? "" : display_text(finding.where) + ": ") +
            display_text(finding.what) + "\n";
  }
  if (count > findings.size()) text += "... and " + with_commas(count - findings.size()) + " more " + kind + "s\n";
  return text;
}

std::string report_text(const car::CheckReport& report) {
  std::string text = findings_text("problem", report.problems, report.problem_count) +
                     findings_text("remark", report.remarks, report.remark_count);
  std::string counts;
  for (const auto& [name, count] : report.counts) {
    if (count == 0 && name != "records" && name != "judgments") continue;
    std::string words = name;
    for (auto& c : words) c = c == '_' ? ' ' : c;
    counts += (counts.empty() ? "" : ", ") + with_commas(count) + " " + words;
  }
  return text + (report.ok() ? "ok: " : "NOT ok: ") + counts + "\n";
}

CLI::Option* add_file(CLI::App* command, std::string& file, const char* description) {
  return command->add_option("FILE", file, description)->required()->type_name("");
}

CLI::Option* add_format(CLI::App* command, std::string& format) {
  return command->add_option("--format", format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
}

struct CarFlags {
  std::string file, out, format = "text";
  car::ViewOptions view{.as_json = false, .limit = 20};
  std::optional<car::ConvertTo> to;
};

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

void add_car_show(CLI::App* car_command, Context&) {
  auto flags = std::make_shared<CarFlags>();
  auto* command = car_command->add_subcommand(
      "show", "Show pages as trees of their sections, paragraphs with their links, or the topics of qrels");
  add_file(command, flags->file, kAnyFile);
  add_format(command, flags->format);
  command->add_option("--limit", flags->view.limit, "Records or topics to show; 0: all (default: 20)")
      ->type_name("N")
      ->transform(whole_number);
  add_footer(command);
  command->callback([flags] {
    require_files({flags->file});
    flags->view.as_json = flags->format == "json";
    car::view_file(flags->file, flags->view,
                   [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
  });
}

void add_car_validate(CLI::App* car_command, Context& context) {
  auto flags = std::make_shared<CarFlags>();
  auto* command =
      car_command->add_subcommand("validate", "Check records, ids and texts of a file, and count what is in it");
  add_file(command, flags->file, kAnyFile);
  add_format(command, flags->format);
  add_footer(command, ExitStatus::kNoTopics);
  command->callback([flags, &context] {
    require_files({flags->file});
    const auto report = car::check_file(flags->file);
    print(flags->format == "json" ? report_json(report, flags->file) : report_text(report));
    const bool empty =
        std::all_of(report.counts.begin(), report.counts.end(), [](const auto& count) { return count.second == 0; });
    context.exit_status = !report.ok() ? ExitStatus::kFailed : empty ? ExitStatus::kNoTopics : ExitStatus::kDone;
    if (context.exit_status == ExitStatus::kNoTopics && flags->format != "json")
      print("The file is as it should be, but it is empty: it has no pages, paragraphs or topics.\n");
  });
}

void add_car_convert(CLI::App* car_command, Context&) {
  auto flags = std::make_shared<CarFlags>();
  auto* command = car_command->add_subcommand("convert", "Write the records of a file in another form");
  add_file(command, flags->file, "Pages, outlines or paragraphs: CBOR of any version or JSON lines, plain or .gz");
  add_choice(command, "--to", flags->to, car::kConvertTo,
             "cbor or jsonl (the same records); outlines or paragraphs (of pages, in CBOR), outlines-jsonl or "
             "paragraphs-jsonl; titles or topics (lines of text)")
      ->required()
      ->type_name("FORM");
  command->add_option("--out", flags->out, "File to write, compressed if its name ends in .gz")
      ->required()
      ->type_name("FILE");
  add_footer(command);
  command->callback([flags] {
    require_files({flags->file});
    const auto done = car::convert_file(flags->file, *flags->to, flags->out);
    print(with_commas(done.read) + " records read, " + with_commas(done.written) + " written to " +
          display_text(flags->out) + "\n");
  });
}

void add_car_derive(CLI::App* car, Context&) {
  auto flags = std::make_shared<DeriveFlags>();
  auto* command = car->add_subcommand(
      "derive", "Write qrels of passages and entities that follow from titles, headings and links of pages");
  command
      ->add_option("PAGES", flags->pages,
                   "Pages in CBOR of any version or JSON lines, or hierarchical qrels, plain or .gz")
      ->required()
      ->type_name("");
  command
      ->add_option("--out", flags->out,
                   "Folder for {article,toplevel,hierarchical,tree}{,.entity}.qrels; qrels give no .entity.qrels")
      ->required()
      ->type_name("DIR");
  command->add_flag("--list-items", flags->options.list_items, "Items of lists are passages too");
  command->add_flag("--captions", flags->options.captions, "Captions of images are passages too");
  command->add_option("--format", flags->format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  add_footer(command);
  command->callback([flags] {
    require_files({flags->pages});
    const auto written = automatic::derive_qrels_folder(flags->pages, flags->out, flags->options);
    if (!written.shared_ids.empty()) {
      log_warn("{}: pages of different titles share an id, and their judgments are one topic's: {}; ids like it: {}",
               flags->pages, formats::fields::quote_for_message(written.shared_ids.front()), written.shared_ids.size());
    }
    print(flags->format == "json" ? derived_json(written) : derived_text(written, flags->out));
  });
}

}  // namespace

void add_car(CLI::App* app, Context& context) {
  auto* command = app->add_subcommand("car", "Show, check and convert files of TREC CAR (Wikimarks), and derive qrels");
  command->require_subcommand(1);
  add_car_show(command, context);
  add_car_validate(command, context);
  add_car_convert(command, context);
  add_car_derive(command, context);
  add_footer(command, ExitStatus::kNoTopics);
}

}  // namespace touchstone::cli
