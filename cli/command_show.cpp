#include "cli/command.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/records/record_file.hpp"
#include "pipeline/inspection/inspect.hpp"

#include <cstdio>
#include <filesystem>
#include <string_view>

#include <nlohmann/json.hpp>

namespace touchstone::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& value) {
  return display_text(value.is_string() ? value.get<std::string>() : json_text(value));
}

/// Of a cell or a reply, which may have several lines.
std::string lines(const Json& value) {
  return display_lines(value.is_string() ? value.get<std::string>() : json_text(value));
}

std::string joined(const Json& list, const char* separator) {
  std::string out;
  for (const auto& element : list) out += (out.empty() ? "" : separator) + text(element);
  return out;
}

void print_page(const Json& page) {
  for (const auto& [key, value] : page.items()) {
    std::printf("%-16s %s\n", key.c_str(), value.is_array() ? joined(value, "; ").c_str() : text(value).c_str());
  }
}

void print_outline(const Json& outline) {
  for (const auto& section : outline["sections"]) {
    const int level = section["level"];
    const std::string heading = level == 0 ? "(lead)" : text(section["heading"]);
    const std::string place = section.contains("place") ? "  " + text(section["place"]) : "";
    std::printf("%*s%s  [%s paragraphs]%s\n", 2 * (level > 1 ? level - 1 : 0), "", heading.c_str(),
                text(section["paragraphs"]).c_str(), place.c_str());
  }
}

void print_tables(const Json& tables) {
  for (const auto& table : tables["tables"]) {
    std::printf("table %s  %s  %s\n", text(table["table"]).c_str(), joined(table["section"], " » ").c_str(),
                text(table["caption"]).c_str());
    for (const auto& row : table["rows"]) {
      std::string line;
      for (const auto& cell : row) {
        line += line.empty() ? "  " : " | ";
        line += cell.contains("header") ? "! " + lines(cell["text"]) : lines(cell["text"]);
        if (cell.contains("links")) {
          std::string titles;
          for (const auto& link : cell["links"]) titles += (titles.empty() ? "" : ", ") + text(link["title"]);
          line += " [" + titles + "]";
        }
      }
      std::printf("%s\n", line.c_str());
    }
  }
}

void print_passages(const Json& passages) {
  for (const auto& passage : passages["passages"]) {
    std::printf("%s  %s\n%s\n", text(passage["docid"]).c_str(), joined(passage["section"], " » ").c_str(),
                text(passage["text"]).c_str());
    for (const auto& link : passage["links"])
      std::printf("  [%s, %s) %s\n", text(link["begin"]).c_str(), text(link["end"]).c_str(),
                  text(link["title"]).c_str());
    std::printf("\n");
  }
}

void print_backlinks(const Json& backlinks) {
  std::printf("%s pages link here\n", text(backlinks["pages"]).c_str());
  for (const auto& source : backlinks["backlinks"]) {
    const std::string places = joined(source["paragraphs"], ", ");
    const bool elsewhere = source["elsewhere"] == true;
    std::printf("  %s%s%s\n", text(source["title"]).c_str(), places.empty() ? "" : ("  paragraphs " + places).c_str(),
                !elsewhere       ? ""
                : places.empty() ? "  elsewhere on the page"
                                 : " and elsewhere on the page");
  }
}

void print_groups(const Json& groups, bool with_members) {
  for (const auto& group : groups) {
    std::printf(
        "%s  %s  %s%s%s\n  %zu members, %s candidates, %s evidence; %s cells, %s empty, %s without an article\n",
        text(group["topic"]).c_str(), text(group["structured"]).c_str(), text(group["status"]).c_str(),
        group["reason"] == "" ? "" : ": ", text(group["reason"]).c_str(), group["members"].size(),
        text(group["candidates"]).c_str(), text(group["evidence"]).c_str(), text(group["cells"]).c_str(),
        text(group["empty_cells"]).c_str(), text(group["unresolved_cells"]).c_str());
    if (!with_members) continue;
    for (const auto& member : group["members"])
      std::printf("    %s (%s)\n", text(member["title"]).c_str(), text(member["page_id"]).c_str());
  }
}

void print_judgments(const Json& judgments) {
  std::string topic;
  for (const auto& judgment : judgments) {
    if (judgment["topic"] != topic) {
      topic = text(judgment["topic"]);
      std::printf("%s  %s\n", topic.c_str(), text(judgment["structured"]).c_str());
    }
    std::printf("  %s  p=%s  %s <- %s (%s)\n    %s\n",
                judgment["grade"].is_null() ? text(judgment["state"]).c_str() : text(judgment["grade"]).c_str(),
                text(judgment["probability"]).c_str(), text(judgment["member"]).c_str(),
                text(judgment["passage"]).c_str(), text(judgment["docid"]).c_str(), lines(judgment["reply"]).c_str());
  }
}

/// A file of records as JSON lines.
void print_records(const std::filesystem::path& path) {
  records::ByteReader file(path);
  std::string_view record;
  while (file.next(record)) std::printf("%s\n", records::record_json(file.layout(), record).c_str());
}

}  // namespace

void add_show(CLI::App* app, Context&) {
  auto command =
      app->add_subcommand("show", "Show a page, its outline, tables, passages or backlinks; or groups or judgments");
  auto what = std::make_shared<std::string>();
  auto title = std::make_shared<std::string>();
  auto flags = std::make_shared<WorkFlags>();
  auto format = std::make_shared<std::string>("text");
  command
      ->add_option(
          "WHAT", *what,
          "page, outline, tables, passages, backlinks, group, groups, judgments, or a file of records in DIR/stages")
      ->required()
      ->check(one_of({"page", "outline", "tables", "passages", "backlinks", "group", "groups", "judgments"},
                     records::is_record_file));
  command->add_option("TITLE", *title,
                      "Title of the page; group also accepts a topic id; judgments accepts a topic id or nothing; "
                      "groups takes no title");
  flags->add_to(command, WorkFlags::kConfig | WorkFlags::kWorkIsOptional);
  command->add_option("--format", *format, "text or json")->check(one_of({"text", "json"}))->type_name("FORMAT");
  command->callback([=] {
    if (records::is_record_file(*what)) return print_records(*what);
    if (flags->work.empty()) throw ConfigError("--work is required; see touchstone show --help");
    if (title->empty() && *what != "groups" && *what != "judgments")
      throw ConfigError("show " + *what + " needs a title");
    if (!title->empty() && *what == "groups")
      throw ConfigError("show groups takes no title; use show group TITLE for one page");
    const auto settings = load_settings(*flags, pipeline::flow::Runner::stored_config(flags->work));
    const pipeline::flow::WorkPaths paths{flags->work};
    const auto store = storage::Store::open(paths.store(), storage::Access::kReadOnly);
    const pipeline::inspection::Inspector inspector(*store, settings, paths);
    Json json;
    if (*what == "page") json = inspector.page(*title);
    if (*what == "outline") json = inspector.outline(*title);
    if (*what == "tables") json = inspector.tables(*title);
    if (*what == "passages") json = inspector.passages(*title);
    if (*what == "backlinks") json = inspector.backlinks(*title);
    if (*what == "group") json = inspector.group(*title);
    if (*what == "groups") json = inspector.groups();
    if (*what == "judgments") json = inspector.judgments(*title);
    if (*format == "json") {
      std::printf("%s\n", json_text(json, {.indent = 2}).c_str());
      return;
    }
    if (*what == "page") print_page(json);
    if (*what == "outline") print_outline(json);
    if (*what == "tables") print_tables(json);
    if (*what == "passages") print_passages(json);
    if (*what == "backlinks") print_backlinks(json);
    if (*what == "judgments") print_judgments(json);
    if (*what == "group" || *what == "groups") print_groups(json, *what == "group");
  });
}

}  // namespace touchstone::cli
