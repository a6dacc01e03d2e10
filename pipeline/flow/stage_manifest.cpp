#include "pipeline/flow/stage_manifest.hpp"

#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::flow {

using Json = nlohmann::ordered_json;

namespace {

/// What a stage did, as words for the log: "6 pages, 1 redirects, left out: ...".
std::string counts_text(const StageReport& report) {
  std::string text;
  for (const auto& [name, count] : report.counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  for (const auto& [reason, count] : report.rejected) {
    const bool kept = report.severities.at(reason) == RejectSeverity::kKept;
    text += fmt::format(", {} {}{}", count, kept ? "" : "left out: ", reason);
  }
  return text;
}

}  // namespace

std::string encode_manifest(const StageManifest& manifest) {
  Json json;
  json["state"] = manifest.state == StageManifest::State::kDone ? "done" : "started";
  json["cleared"] = manifest.cleared;
  if (manifest.prepared) json["prepared"] = true;
  json["fingerprint"] = manifest.fingerprint;
  json["program"] = manifest.program_version;
  json["counts"] = manifest.report.counts;
  json["rejected"] = manifest.report.rejected;
  json["samples"] = manifest.report.samples;
  json["warnings"] = manifest.report.warnings;
  if (manifest.report.topics) json["topics"] = *manifest.report.topics;
  if (manifest.report.no_settings_help) json["no_settings_help"] = true;
  json["seconds"] = manifest.seconds;
  json["cpu_seconds"] = manifest.cpu_seconds;
  json["peak_memory"] = manifest.peak_memory;
  json["part_bytes"] = manifest.part_bytes;
  json["file_bytes"] = manifest.file_bytes;
  json["file_digests"] = manifest.file_digests;
  json["file_times"] = manifest.file_times;
  json["output"] = manifest.output;
  json["input"] = manifest.input;
  return json_text(json);
}

StageManifest decode_manifest(const std::string& text) {
  StageManifest manifest;
  try {
    const Json json = parse_json(text);
    manifest.state = json.at("state") == "done" ? StageManifest::State::kDone : StageManifest::State::kStarted;
    manifest.cleared = json.at("cleared");
    manifest.prepared = json.contains("prepared");
    manifest.fingerprint = json.at("fingerprint");
    manifest.program_version = json.at("program");
    manifest.report.counts = json.at("counts").get<std::map<std::string, std::uint64_t>>();
    manifest.report.rejected = json.at("rejected").get<std::map<std::string, std::uint64_t>>();
    manifest.report.samples = json.at("samples").get<std::map<std::string, std::vector<std::string>>>();
    manifest.report.warnings = json.at("warnings").get<std::vector<std::string>>();
    if (json.contains("topics")) manifest.report.topics = json.at("topics").get<std::uint64_t>();
    manifest.report.no_settings_help = json.contains("no_settings_help");
    manifest.seconds = json.at("seconds");
    manifest.peak_memory = json.at("peak_memory");
    if (json.contains("cpu_seconds")) manifest.cpu_seconds = json.at("cpu_seconds");
    if (json.contains("part_bytes")) manifest.part_bytes = json.at("part_bytes");
    manifest.file_bytes = json.at("file_bytes").get<std::map<std::string, std::uint64_t>>();
    if (json.contains("file_digests"))
      manifest.file_digests = json.at("file_digests").get<std::map<std::string, std::string>>();
    if (json.contains("file_times"))
      manifest.file_times = json.at("file_times").get<std::map<std::string, std::int64_t>>();
    manifest.output = json.at("output");
    manifest.input = json.at("input");
  } catch (const Json::exception& error) {
    throw StorageError(std::string("the store's record of a stage cannot be read (") + error.what() +
                       "); remove the work directory and build it again");
  }
  return manifest;
}

void log_result(std::string_view stage, const StageManifest& manifest) {
  log_info("{}: done in {:.1f} s, peak memory {} MB: {}", stage, manifest.seconds, manifest.peak_memory / 1'000'000,
           counts_text(manifest.report));
  for (const auto& [reason, samples] : manifest.report.samples) {
    for (const auto& sample : samples) log_debug("{}: rejected ({}): {}", stage, reason, sample);
  }
  for (const auto& warning : manifest.report.warnings) log_line(LogLevel::kWarn, fmt::format("{}: {}", stage, warning));
}

}  // namespace touchstone::pipeline::flow
