#include "annotation/fixed_options.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "formats/json/field_reader.hpp"

#include <fmt/format.h>

namespace touchstone::annotation {
namespace {

constexpr std::string_view kOptionsFile = "campaign.json";

/// What may not change once people have been shown tasks: places of characters depend on it.
std::string fixed_options(const CampaignOptions& options, TaskKind kind, const std::string& id) {
  JsonWriter json({.indent = 1});
  return json.begin_object()
      .field("id", id)
      .field("kind", choice_text(kind))
      .field("seed", options.assignment.seed)
      .field("rotate", options.rotate)
      .end_object()
      .take();
}

}  // namespace

std::string keep_options(const std::filesystem::path& folder, const CampaignOptions& options, TaskKind kind) {
  const auto file = folder / kOptionsFile;
  if (!std::filesystem::exists(file)) {
    const auto id = random_token().substr(0, 12);
    write_file_atomically(file, fixed_options(options, kind, id) + "\n");
    return id;
  }
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::string error, id;
  const auto text = read_file(file, 1U << 20U);
  if (formats::json::parse_object(parser, text, object, error)) {
    formats::json::FieldReader fields(object, error);
    id = fields.text("id");
    const auto differs = [&](std::string_view option, const std::string& was, const std::string& is) {
      if (error.empty() && was != is) {
        throw ConfigError(
            fmt::format("{} was begun with {} {}, and this run says {}; give the same value, or another "
                        "folder with --out",
                        folder.string(), option, was, is));
      }
    };
    differs("--kind", fields.text("kind"), std::string(choice_text(kind)));
    differs("--seed", std::to_string(fields.number("seed")), std::to_string(options.assignment.seed));
    differs("--rotate", fields.boolean("rotate") ? "on" : "off", options.rotate ? "on" : "off");
  }
  if (!error.empty()) throw FormatError(file.string() + " " + error);
  return id;
}

}  // namespace touchstone::annotation
