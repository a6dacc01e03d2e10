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

ordered_json source_names(const std::vector<CandidateSource>& sources) {
  ordered_json names = ordered_json::array();
  for (const auto source : sources) names.push_back(to_string(source));
  return names;
}

CandidateSource source_named(const ordered_json& json) {
  const auto name = json.get<std::string>();
  const auto source = candidate_source_of(name);
  if (!source)
    throw FormatError("manifest.json names the source of candidates \"" + name +
                      "\", which does not exist; export the collection again");
  return *source;
}

ordered_json info_json(const CollectionInfo& info) {
  return ordered_json{{"name", info.name},
                      {"wiki", info.wiki},
                      {"site_name", info.site_name},
                      {"base_url", info.base_url},
                      {"language", info.language},
                      {"license", info.license},
                      {"judge", info.judge},
                      {"baseline_judge", info.baseline_judge},
                      {"evidence_grade", info.evidence_grade},
                      {"copies", info.copies},
                      {"mode", info.mode},
                      {"corpus_scope", info.corpus_scope},
                      {"candidate_sources", source_names(info.candidate_sources)},
                      {"dump_names", info.dump_names},
                      {"dump_date", info.dump_date}};
}

CollectionInfo info_from(const ordered_json& json) {
  CollectionInfo info;
  json.at("name").get_to(info.name);
  json.at("wiki").get_to(info.wiki);
  json.at("site_name").get_to(info.site_name);
  json.at("base_url").get_to(info.base_url);
  json.at("language").get_to(info.language);
  json.at("license").get_to(info.license);
  json.at("judge").get_to(info.judge);
  json.at("baseline_judge").get_to(info.baseline_judge);
  info.evidence_grade = json.value("evidence_grade", 1);  // collections of earlier versions do not state it
  json.at("copies").get_to(info.copies);
  json.at("mode").get_to(info.mode);
  json.at("corpus_scope").get_to(info.corpus_scope);
  if (json.contains("candidate_sources")) {
    info.candidate_sources.clear();
    for (const auto& source : json.at("candidate_sources")) info.candidate_sources.push_back(source_named(source));
  }
  json.at("dump_names").get_to(info.dump_names);
  json.at("dump_date").get_to(info.dump_date);
  return info;
}

std::vector<CollectionNumbers::OfSource> sources_from(const ordered_json& json) {
  std::vector<CollectionNumbers::OfSource> sources;
  for (const auto& entry : json) {
    auto& source = sources.emplace_back();
    source.source = source_named(entry.at("source"));
    entry.at("candidates").get_to(source.candidates);
    entry.at("judged").get_to(source.judged);
    entry.at("evidence").get_to(source.evidence);
    entry.at("evidence_share").get_to(source.evidence_share);
  }
  return sources;
}

ordered_json sources_json(const std::vector<CollectionNumbers::OfSource>& sources) {
  ordered_json json = ordered_json::array();
  for (const auto& source : sources) {
    json.push_back(ordered_json{{"source", to_string(source.source)},
                                {"candidates", source.candidates},
                                {"judged", source.judged},
                                {"evidence", source.evidence},
                                {"evidence_share", source.evidence_share}});
  }
  return json;
}

CollectionNumbers numbers_from(const ordered_json& json) {
  CollectionNumbers numbers;
  json.at("topics").get_to(numbers.topics);
  json.at("members").get_to(numbers.members);
  json.at("distinct_members").get_to(numbers.distinct_members);
  json.at("passages").get_to(numbers.passages);
  json.at("judgments").get_to(numbers.judgments);
  json.at("judged_yes").get_to(numbers.judged_yes);
  json.at("judged_no").get_to(numbers.judged_no);
  json.at("unjudged").get_to(numbers.unjudged);
  numbers.unsure = json.value("unsure", std::uint64_t{0});  // collections of earlier versions do not say
  json.at("qrels").get_to(numbers.qrels);
  json.at("evidence").get_to(numbers.evidence);
  const auto& members = json.at("members_per_topic");
  members.at("mean").get_to(numbers.members_mean);
  members.at("median").get_to(numbers.members_median);
  members.at("min").get_to(numbers.members_min);
  members.at("max").get_to(numbers.members_max);
  const auto& evidence = json.at("evidence_per_topic");
  evidence.at("mean").get_to(numbers.evidence_mean);
  evidence.at("median").get_to(numbers.evidence_median);
  evidence.at("min").get_to(numbers.evidence_min);
  evidence.at("max").get_to(numbers.evidence_max);
  json.at("outside_own_article").get_to(numbers.outside_own_article);
  for (const auto& entry : json.at("by_members")) {
    CollectionNumbers::Bucket bucket;
    entry.at("members_per_topic").get_to(bucket.label);
    entry.at("topics").get_to(bucket.topics);
    entry.at("members").get_to(bucket.members);
    entry.at("evidence").get_to(bucket.evidence);
    entry.at("evidence_mean").get_to(bucket.evidence_mean);
    numbers.buckets.push_back(std::move(bucket));
  }
  if (json.contains("by_source")) numbers.by_source = sources_from(json.at("by_source"));
  for (const auto& [reason, count] : json.at("discarded").items()) {
    numbers.discarded[reason] = count.get<std::uint64_t>();
  }
  return numbers;
}

}  // namespace

ordered_json parse_build_manifest(const std::string& manifest_json) {
  ordered_json build = ordered_json::object();
  if (manifest_json.empty()) return build;
  build = parse_json_or_discard(manifest_json);
  if (!build.is_object()) {
    throw FormatError(
        "what the build adds to manifest.json is no JSON object; this is a mistake in the program, please report it");
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
  ordered_json buckets = ordered_json::array();
  for (const auto& bucket : numbers.buckets) {
    buckets.push_back(ordered_json{{"members_per_topic", bucket.label},
                                   {"topics", bucket.topics},
                                   {"members", bucket.members},
                                   {"evidence", bucket.evidence},
                                   {"evidence_mean", bucket.evidence_mean}});
  }
  ordered_json discarded = ordered_json::object();
  for (const auto& [reason, count] : numbers.discarded) discarded[reason] = count;
  ordered_json json{{"topics", numbers.topics},
                    {"members", numbers.members},
                    {"distinct_members", numbers.distinct_members},
                    {"passages", numbers.passages},
                    {"judgments", numbers.judgments},
                    {"judged_yes", numbers.judged_yes},
                    {"judged_no", numbers.judged_no},
                    {"unjudged", numbers.unjudged},
                    {"qrels", numbers.qrels},
                    {"evidence", numbers.evidence},
                    {"members_per_topic", ordered_json{{"mean", numbers.members_mean},
                                                       {"median", numbers.members_median},
                                                       {"min", numbers.members_min},
                                                       {"max", numbers.members_max}}},
                    {"evidence_per_topic", ordered_json{{"mean", numbers.evidence_mean},
                                                        {"median", numbers.evidence_median},
                                                        {"min", numbers.evidence_min},
                                                        {"max", numbers.evidence_max}}},
                    {"outside_own_article", numbers.outside_own_article},
                    {"by_members", std::move(buckets)}};
  if (numbers.unsure > 0) json["unsure"] = numbers.unsure;
  if (!numbers.by_source.empty()) json["by_source"] = sources_json(numbers.by_source);
  json["discarded"] = std::move(discarded);
  return json;
}

std::string manifest_text(const CollectionInfo& info, const CollectionNumbers& numbers,
                          const std::vector<FileEntry>& files, const std::vector<HealthCheck>& health,
                          const std::optional<BaselineRun>& baseline) {
  ordered_json manifest{{"format", kCollectionFormatName},
                        {"format_version", kCollectionFormatVersion},
                        {"program", ordered_json{{"name", "touchstone"}, {"version", info.program_version}}},
                        {"collection", info_json(info)},
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
    manifest.info = info_from(json.at("collection"));
    if (manifest.info.evidence_grade < 1 || manifest.info.evidence_grade > formats::trec::kMaxGrade) {
      throw FormatError(path.string() + " has the evidence_grade " + std::to_string(manifest.info.evidence_grade) +
                        ", which is not from 1 to " + std::to_string(formats::trec::kMaxGrade) +
                        "; export the collection again");
    }
    json.at("program").at("version").get_to(manifest.info.program_version);
    manifest.numbers = numbers_from(json.at("numbers"));
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
