#include "cli/command_car.hpp"

#include "cli/statistics_flags.hpp"
#include "common/display_text.hpp"
#include "common/json_writer.hpp"
#include "common/named_values.hpp"
#include "common/number_text.hpp"
#include "formats/car/check.hpp"
#include "formats/car/convert.hpp"
#include "formats/car/type_names.hpp"
#include "formats/car/view.hpp"

#include <algorithm>
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
  json.begin_object()
      .field("ok", report.ok())
      .field("file", file)
      .field("form", name_in(car::kFileForms, report.kind.form))
      .key("type");
  if (report.kind.type) {
    json.value(name_in(car::kFileTypes, *report.kind.type));
  } else {
    json.value(nullptr);
  }
  json.field("header", report.kind.has_header).field("gzip", report.kind.is_gzip);
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

Option add_file(Command command, std::string& file, const char* description) {
  return command.add_option("FILE", file, description).required().type_name("");
}

Option add_format(Command command, std::string& format) {
  return command.add_option("--format", format, "text or json").one_of({"text", "json"}).type_name("FORMAT");
}

struct CarFlags {
  std::string file, out, format = "text";
  car::ViewOptions view{.as_json = false, .limit = 20};
  std::optional<car::ConvertTo> to;
};

}  // namespace

void add_car(Command app, Context& context) {
  Command command =
      app.add_subcommand("car", "Show, check and convert files of TREC CAR (Wikimarks), and derive qrels");
  command.require_subcommand();
  add_car_show(command, context);
  add_car_validate(command, context);
  add_car_convert(command, context);
  add_car_derive(command, context);
  add_footer(command, ExitStatus::kNoTopics);
}

void add_car_show(Command car_command, Context&) {
  auto flags = std::make_shared<CarFlags>();
  Command command = car_command.add_subcommand(
      "show", "Show pages as trees of their sections, paragraphs with their links, or the topics of qrels");
  add_file(command, flags->file, kAnyFile);
  add_format(command, flags->format);
  command.add_option("--limit", flags->view.limit, "Records or topics to show; 0: all (default: 20)")
      .type_name("N")
      .whole_number();
  add_footer(command);
  command.callback([flags] {
    require_files({flags->file});
    flags->view.as_json = flags->format == "json";
    car::view_file(flags->file, flags->view,
                   [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
  });
}

void add_car_validate(Command car_command, Context& context) {
  auto flags = std::make_shared<CarFlags>();
  Command command =
      car_command.add_subcommand("validate", "Check records, ids and texts of a file, and count what is in it");
  add_file(command, flags->file, kAnyFile);
  add_format(command, flags->format);
  add_footer(command, ExitStatus::kNoTopics);
  command.callback([flags, &context] {
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

void add_car_convert(Command car_command, Context&) {
  auto flags = std::make_shared<CarFlags>();
  Command command = car_command.add_subcommand("convert", "Write the records of a file in another form");
  add_file(command, flags->file, "Pages, outlines or paragraphs: CBOR of any version or JSON lines, plain or .gz");
  add_choice(command, "--to", flags->to, car::kConvertTo,
             "cbor or jsonl (the same records); outlines or paragraphs (of pages, in CBOR), outlines-jsonl or "
             "paragraphs-jsonl; titles or topics (lines of text)")
      .required()
      .type_name("FORM");
  command.add_option("--out", flags->out, "File to write, compressed if its name ends in .gz")
      .required()
      .type_name("FILE");
  add_footer(command);
  command.callback([flags] {
    require_files({flags->file});
    const auto done = car::convert_file(flags->file, *flags->to, flags->out);
    print(with_commas(done.read) + " records read, " + with_commas(done.written) + " written to " +
          display_text(flags->out) + "\n");
  });
}

}  // namespace touchstone::cli
