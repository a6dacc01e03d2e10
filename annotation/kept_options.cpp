#include "annotation/kept_options.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "formats/labeling/optional_fields.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

namespace touchstone::annotation {
namespace {

using formats::labeling::internal::choice_or;

constexpr std::string_view kOptionsFile = "campaign.json";
constexpr std::uint64_t kMaxFileBytes = 1U << 21U;

struct Kept {
  std::string id;
  TaskKind kind = TaskKind::kGrade;
  CampaignOptions options;
};

std::string text_of(const Kept& kept) {
  const auto& [id, kind, options] = kept;
  const auto& assignment = options.assignment;
  JsonWriter json({.indent = 1});
  json.begin_object().field("id", id).field("kind", choice_text(kind)).field("seed", assignment.seed);
  json.field("rotate", options.rotate).field("overlap", assignment.overlap);
  json.field("order", choice_text(assignment.order)).field("lease_seconds", assignment.lease.count());
  json.field("mode", choice_text(options.mode)).field("title", options.title);
  return json.field("guidelines", options.guidelines).end_object().take() + "\n";
}

std::optional<Kept> read_kept(const std::filesystem::path& folder) {
  const auto file = folder / kOptionsFile;
  if (!std::filesystem::exists(file)) return std::nullopt;
  Kept kept;
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::string error;
  const auto text = read_file(file, kMaxFileBytes);
  if (formats::json::parse_object(parser, text, object, error)) {
    formats::json::FieldReader fields(object, error);
    auto& [id, kind, options] = kept;
    auto& assignment = options.assignment;
    id = fields.text("id");
    kind = choice_or(fields, "kind", kind);
    assignment.seed = fields.number("seed");
    options.rotate = fields.boolean("rotate");
    if (error.empty() && !fields.has("overlap")) return kept;  // begun when the others were not kept yet
    assignment.overlap = static_cast<std::uint32_t>(fields.number("overlap", kMaxOverlap));
    assignment.order = choice_or(fields, "order", assignment.order);
    assignment.lease = std::chrono::seconds(fields.number("lease_seconds", std::numeric_limits<std::int32_t>::max()));
    if (assignment.overlap == 0 || assignment.lease.count() == 0)
      fields.fail("has 0 in field \"overlap\" or \"lease_seconds\"; correct it");
    options.mode = choice_or(fields, "mode", options.mode);
    options.title = fields.text("title");
    options.guidelines = fields.text("guidelines");
  }
  if (!error.empty()) throw FormatError(file.string() + " " + error);
  return kept;
}

}  // namespace

std::optional<CampaignOptions> kept_options(const std::filesystem::path& folder) {
  auto kept = read_kept(folder);
  return kept ? std::optional(std::move(kept->options)) : std::nullopt;
}

std::string keep_options(const std::filesystem::path& folder, const CampaignOptions& options, TaskKind kind) {
  const auto before = read_kept(folder);
  if (before) {
    const auto differs = [&](std::string_view option, const std::string& was, const std::string& is) {
      if (was == is) return;
      throw ConfigError(fmt::format(
          "{} was begun with {} {}, and this run says {}; give the same value, or another folder with --out",
          folder.string(), option, was, is));
    };
    differs("--kind", std::string(choice_text(before->kind)), std::string(choice_text(kind)));
    differs("--seed", std::to_string(before->options.assignment.seed), std::to_string(options.assignment.seed));
    differs("--rotate", before->options.rotate ? "on" : "off", options.rotate ? "on" : "off");
  }
  const Kept kept{before ? before->id : random_token().substr(0, 12), kind, options};
  const auto text = text_of(kept);
  if (!before || text_of(*before) != text) write_file_atomically(folder / kOptionsFile, text);
  return kept.id;
}

}  // namespace touchstone::annotation
