#include "collection/manifest.hpp"

#include "collection/collection_files.hpp"
#include "collection/collection_lines.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "formats/trec/qrels.hpp"

#include <nlohmann/json.hpp>

namespace touchstone::collection {
namespace {

using nlohmann::ordered_json;

constexpr const char* kReservedNames[] = {"format",  "format_version", "program",  "collection",
                                          "numbers", "health",         "baseline", "files"};

CandidateSource source_named(const std::string& name) {
  const auto source = candidate_source_of(name);
  if (!source)
    throw FormatError("manifest.json names the source of candidates \"" + name +
                      "\", which does not exist; export the collection again");
  return *source;
}

/// Writes the fields of an object in the order of the calls.
struct FieldsWriter {
  ordered_json& json;

  void operator()(const char* name, const auto& value) const { json[name] = value; }
  void operator()(const char* name, const CandidateSource& source) const { json[name] = to_string(source); }
  void operator()(const char* name, const std::vector<CandidateSource>& sources) const {
    json[name] = ordered_json::array();
    for (const auto source : sources) json[name].push_back(to_string(source));
  }
  /// A field that is left out unless `is_written`.
  void optional(const char* name, const auto& value, bool is_written = true) const {
    if (is_written) (*this)(name, value);
  }
  /// The fields of an object within this one.
  void object(const char* name, const auto& fields) const {
    json[name] = ordered_json::object();
    fields(FieldsWriter{json[name]});
  }
  /// An array of objects, which may be left out if it is empty; `fields` visits those of one record.
  void list(const char* name, const auto& records, const auto& fields, bool is_optional = false) const {
    if (is_optional && records.empty()) return;
    json[name] = ordered_json::array();
    for (const auto& record : records) {
      ordered_json entry = ordered_json::object();
      fields(FieldsWriter{entry}, record);
      json[name].push_back(std::move(entry));
    }
  }
};

/// Reads the fields that FieldsWriter writes. Throws nlohmann::json::exception and FormatError.
struct FieldsReader {
  const ordered_json& json;

  void operator()(const char* name, auto& value) const { json.at(name).get_to(value); }
  void operator()(const char* name, CandidateSource& source) const {
    source = source_named(json.at(name).get<std::string>());
  }
  void operator()(const char* name, std::vector<CandidateSource>& sources) const {
    sources.clear();
    for (const auto& source : json.at(name)) sources.push_back(source_named(source.get<std::string>()));
  }
  void optional(const char* name, auto& value, bool = true) const {
    if (json.contains(name)) (*this)(name, value);
  }
  void object(const char* name, const auto& fields) const { fields(FieldsReader{json.at(name)}); }
  void list(const char* name, auto& records, const auto& fields, bool is_optional = false) const {
    if (is_optional && !json.contains(name)) return;
    for (const auto& entry : json.at(name)) fields(FieldsReader{entry}, records.emplace_back());
  }
};

/// Visits the fields of CollectionInfo, to be read or written.
void visit_info(const auto& visit, auto& info) {
  visit("name", info.name);
  visit("wiki", info.wiki);
  visit("site_name", info.site_name);
  visit("base_url", info.base_url);
  visit("language", info.language);
  visit("license", info.license);
  visit("judge", info.judge);
  visit("baseline_judge", info.baseline_judge);
  visit.optional("evidence_grade", info.evidence_grade);  // collections of earlier versions do not state it
  visit("copies", info.copies);
  visit("mode", info.mode);
  visit("corpus_scope", info.corpus_scope);
  visit.optional("candidate_sources", info.candidate_sources);
  visit("dump_names", info.dump_names);
  visit("dump_date", info.dump_date);
}

/// The same for CollectionNumbers.
void visit_numbers(const auto& visit, auto& numbers) {
  visit("topics", numbers.topics);
  visit("members", numbers.members);
  visit("distinct_members", numbers.distinct_members);
  visit("passages", numbers.passages);
  visit("judgments", numbers.judgments);
  visit("judged_yes", numbers.judged_yes);
  visit("judged_no", numbers.judged_no);
  visit("unjudged", numbers.unjudged);
  visit("qrels", numbers.qrels);
  visit("evidence", numbers.evidence);
  visit.object("members_per_topic", [&](const auto& members) {
    members("mean", numbers.members_mean);
    members("median", numbers.members_median);
    members("min", numbers.members_min);
    members("max", numbers.members_max);
  });
  visit.object("evidence_per_topic", [&](const auto& evidence) {
    evidence("mean", numbers.evidence_mean);
    evidence("median", numbers.evidence_median);
    evidence("min", numbers.evidence_min);
    evidence("max", numbers.evidence_max);
  });
  visit("outside_own_article", numbers.outside_own_article);
  visit.list("by_members", numbers.buckets, [](const auto& fields, auto& bucket) {
    fields("members_per_topic", bucket.label);
    fields("topics", bucket.topics);
    fields("members", bucket.members);
    fields("evidence", bucket.evidence);
    fields("evidence_mean", bucket.evidence_mean);
  });
  visit.optional("unsure", numbers.unsure, numbers.unsure > 0);
  const auto visit_source = [](const auto& fields, auto& source) {
    fields("source", source.source);
    fields("candidates", source.candidates);
    fields("judged", source.judged);
    fields("evidence", source.evidence);
    fields("evidence_share", source.evidence_share);
  };
  visit.list("by_source", numbers.by_source, visit_source, true);
  visit("discarded", numbers.discarded);
}

}  // namespace

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

ordered_json numbers_json(const CollectionNumbers& numbers) {
  ordered_json json = ordered_json::object();
  visit_numbers(FieldsWriter{json}, numbers);
  return json;
}

std::string manifest_text(const CollectionInfo& info, const CollectionNumbers& numbers,
                          const std::vector<FileEntry>& files, const std::vector<HealthCheck>& health,
                          const std::optional<BaselineRun>& baseline) {
  ordered_json about = ordered_json::object();
  visit_info(FieldsWriter{about}, info);
  ordered_json manifest{{"format", kCollectionFormatName},
                        {"format_version", kCollectionFormatVersion},
                        {"program", ordered_json{{"name", "touchstone"}, {"version", info.program_version}}},
                        {"collection", std::move(about)},
                        {"numbers", numbers_json(numbers)}};
  if (!health.empty()) manifest["health"] = health_json(health);
  if (baseline) manifest["baseline"] = baseline_json(*baseline);
  manifest["files"] = ordered_json::array();
  for (const auto& file : files) {
    manifest["files"].push_back(ordered_json{{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  const ordered_json build = parse_build_manifest(info.manifest_json);
  for (const auto& [name, value] : build.items()) manifest[name] = value;
  return json_text(manifest, {.indent = 2}) + "\n";
}

Manifest read_manifest(const std::filesystem::path& directory) {
  const auto path = directory / kManifest.name;
  const ordered_json json = parse_json_or_discard(read_file(path, kMaxManifestBytes));
  if (json.is_discarded() || !json.is_object()) {
    throw FormatError(path.string() + " is no JSON object; export the collection again");
  }
  try {
    if (json.value("format", "") != kCollectionFormatName) {
      throw FormatError(path.string() + " does not say \"format\": \"" + std::string(kCollectionFormatName) +
                        "\"; is this the directory of a collection?");
    }
    const int version = json.at("format_version").get<int>();
    if (version > kCollectionFormatVersion) {
      throw FormatError(path.string() + ": the collection has format version " + std::to_string(version) +
                        ", and this program reads version " + std::to_string(kCollectionFormatVersion) +
                        "; install a newer touchstone");
    }
    if (version < kCollectionFormatVersion) {
      throw FormatError(path.string() + ": the collection has the old format version " + std::to_string(version) +
                        ", and this program reads version " + std::to_string(kCollectionFormatVersion) +
                        "; export the collection again");
    }
    Manifest manifest;
    visit_info(FieldsReader{json.at("collection")}, manifest.info);
    if (manifest.info.evidence_grade < 1 || manifest.info.evidence_grade > formats::trec::kMaxGrade) {
      throw FormatError(path.string() + " has the evidence_grade " + std::to_string(manifest.info.evidence_grade) +
                        ", which is not from 1 to " + std::to_string(formats::trec::kMaxGrade) +
                        "; export the collection again");
    }
    json.at("program").at("version").get_to(manifest.info.program_version);
    visit_numbers(FieldsReader{json.at("numbers")}, manifest.numbers);
    if (json.contains("health")) manifest.health = health_from(json.at("health"));
    if (json.contains("baseline")) manifest.baseline = baseline_from(json.at("baseline"));
    for (const auto& entry : json.at("files")) {
      manifest.files.push_back({entry.at("name").get<std::string>(), entry.at("bytes").get<std::uint64_t>(),
                                entry.at("sha256").get<std::string>()});
    }
    ordered_json build = ordered_json::object();
    for (const auto& [name, value] : json.items()) build[name] = value;
    for (const char* name : kReservedNames) build.erase(name);
    manifest.info.manifest_json = json_text(build);
    return manifest;
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

}  // namespace touchstone::collection
