#include "collection/release/manifest.hpp"

#include "collection/release/files.hpp"
#include "collection/release/manifest_json.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"

#include <fmt/format.h>

namespace touchstone::collection::release {

namespace {

using nlohmann::ordered_json;

/// What manifest.json says itself; the build adds other names.
constexpr const char* kReservedNames[] = {"format",  "format_version", "kind",     "program", "collection",
                                          "numbers", "health",         "baseline", "files"};
constexpr const char* kAutomaticKind = "automatic";  ///< evidence collections state no kind

ordered_json parse_build_manifest(const std::string& manifest_json) {
  ordered_json build = ordered_json::object();
  if (manifest_json.empty()) return build;
  build = parse_json_or_discard(manifest_json);
  if (!build.is_object()) {
    throw FormatError(
        "the build wrote a part of manifest.json that is not a JSON object; this is a mistake in the program, please "
        "report it");
  }
  for (const char* name : kReservedNames) {
    if (build.contains(name)) {
      throw FormatError(std::string("what the build adds to manifest.json holds \"") + name +
                        "\", which the collection writes itself; this is a mistake in the program, please report it");
    }
  }
  return build;
}

void check_version(const std::filesystem::path& path, int version) {
  if (version == kCollectionFormatVersion) return;
  const bool newer = version > kCollectionFormatVersion;
  throw FormatError(fmt::format("{}: the collection has {}format version {}, and this program reads version {}; {}",
                                path.string(), newer ? "" : "the old ", version, kCollectionFormatVersion,
                                newer ? "install a newer touchstone" : "export the collection again"));
}

}  // namespace

void check_build_manifest(const CollectionFacts& facts) {
  parse_build_manifest(facts.manifest_json);
}

CandidateSource candidate_source_named(const std::string& name) {
  const auto source = candidate_source_of(name);
  if (!source)
    throw FormatError("manifest.json names the source of candidates \"" + name +
                      "\", which does not exist; export the collection again");
  return *source;
}

CollectionKind kind_of(const std::filesystem::path& directory) {
  const auto path = directory / kManifest.name;
  if (!std::filesystem::is_regular_file(path)) return CollectionKind::kEvidence;
  const auto manifest = parse_json_or_discard(read_file(path, kMaxManifestBytes));
  const bool automatic = manifest.is_object() && manifest.contains("kind") && manifest["kind"] == kAutomaticKind;
  return automatic ? CollectionKind::kAutomatic : CollectionKind::kEvidence;
}

std::string internal::manifest_text(CollectionKind kind, ordered_json info, ordered_json numbers,
                                    const ManifestFrame& frame) {
  const bool automatic = kind == CollectionKind::kAutomatic;
  ordered_json manifest{{"format", kCollectionFormatName}, {"format_version", kCollectionFormatVersion}};
  if (automatic) manifest["kind"] = kAutomaticKind;
  manifest["program"] = ordered_json{{"name", "touchstone"}, {"version", frame.info.program_version}};
  manifest["collection"] = std::move(info);
  manifest["numbers"] = std::move(numbers);
  if (!frame.health.empty()) manifest["health"] = health_json(frame.health);
  if (frame.baseline) manifest["baseline"] = baseline_json(*frame.baseline);
  ordered_json files = ordered_json::array();
  for (const auto& file : frame.files)
    files.push_back(ordered_json{{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  if (!automatic) manifest["files"] = files;
  const ordered_json build = parse_build_manifest(frame.info.manifest_json);
  for (const auto& [name, value] : build.items()) manifest[name] = value;
  if (automatic) manifest["files"] = std::move(files);  // which are many
  return json_text(manifest, {.indent = 2}) + "\n";
}

internal::ManifestFrame internal::read_manifest(
    const std::filesystem::path& directory,
    const std::function<void(const ordered_json& info, const ordered_json& numbers)>& read_fields) {
  const auto path = directory / kManifest.name;
  const ordered_json json = parse_json_or_discard(read_file(path, kMaxManifestBytes));
  if (!json.is_object()) throw FormatError(path.string() + " is no JSON object; export the collection again");
  try {
    if (json.value("format", "") != kCollectionFormatName) {
      throw FormatError(path.string() + " does not say \"format\": \"" + std::string(kCollectionFormatName) +
                        "\"; is this the directory of a collection?");
    }
    check_version(path, json.at("format_version").get<int>());
    ManifestFrame frame;
    read_fields(json.at("collection"), json.at("numbers"));
    json.at("program").at("version").get_to(frame.info.program_version);
    if (json.contains("health")) frame.health = health::health_from(json.at("health"));
    if (json.contains("baseline")) frame.baseline = baseline_from(json.at("baseline"));
    for (const auto& entry : json.at("files"))
      frame.files.push_back({entry.at("name"), entry.at("bytes"), entry.at("sha256")});
    ordered_json build = json;
    for (const char* name : kReservedNames) build.erase(name);
    frame.info.manifest_json = json_text(build);
    return frame;
  } catch (const nlohmann::json::exception& error) {
    throw FormatError(path.string() + ": " + json_complaint(error) + "; export the collection again");
  }
}

std::string json_complaint(const std::exception& error) {
  // what() is "[json.exception.out_of_range.403] key 'x' not found".
  const std::string what = error.what();
  const auto bracket = what.find("] ");
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

}  // namespace touchstone::collection::release
