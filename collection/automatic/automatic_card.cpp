#include "collection/automatic/automatic_card.hpp"

#include "collection/automatic/automatic_files.hpp"
#include "collection/automatic/release_writer.hpp"
#include "collection/collection_files.hpp"
#include "collection/collection_lines.hpp"
#include "collection/dataset_card.hpp"
#include "collection/license.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/number_text.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::automatic {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t at_level(const std::array<std::uint64_t, 4>& counts, QrelsLevel level) {
  return counts.at(static_cast<std::size_t>(level));
}

Json level_json(const std::array<std::uint64_t, 4>& counts) {
  Json json = Json::object();
  for (const auto& [name, level] : kQrelsLevels) json[std::string(name)] = at_level(counts, level);
  return json;
}

std::string source_of(const AutomaticInfo& info) {
  return (info.site_name.empty() ? info.wiki : info.site_name) +
         (info.base_url.empty() ? "" : " (" + info.base_url + ")");
}

/// One line of markdown without markup of its own.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : formats::fields::one_line(text)) {
    if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::string part_rows(const AutomaticNumbers& numbers) {
  std::string out =
      "| part | topics | facets | top-level facets | relevant passages (article, toplevel, hierarchical, tree) | "
      "relevant "
      "entities (article, toplevel, hierarchical) |\n|---|---:|---:|---:|---|---|\n";
  for (const auto& [name, part] : numbers.parts) {
    const auto passages = [&part = part](QrelsLevel level) { return with_commas(at_level(part.passages, level)); };
    const auto entities = [&part = part](QrelsLevel level) { return with_commas(at_level(part.entities, level)); };
    out += fmt::format("| {} | {} | {} | {} | {}, {}, {}, {} | {}, {}, {} |\n", name, with_commas(part.pages),
                       with_commas(part.facets), with_commas(part.toplevel_facets), passages(QrelsLevel::kArticle),
                       passages(QrelsLevel::kToplevel), passages(QrelsLevel::kHierarchical),
                       passages(QrelsLevel::kTree), entities(QrelsLevel::kArticle), entities(QrelsLevel::kToplevel),
                       entities(QrelsLevel::kHierarchical));
  }
  return out;
}

}  // namespace

std::string automatic_card(const AutomaticInfo& info, const AutomaticNumbers& numbers,
                           const std::vector<HealthCheck>& health, const std::optional<BaselineRun>& baseline) {
  std::string out = "# " + plain(info.name) + "\n\n";
  out += "An automatic test collection in the style of TREC CAR, made from " + plain(source_of(info)) +
         ". Titles of pages are topics and their headings facets. The paragraphs below a heading are the relevant "
         "passages, and the pages they link to the relevant entities. Nobody judged the labels: what is not below a "
         "heading counts as not relevant, even where it answers it.\n\n## Numbers\n\n" +
         part_rows(numbers);
  out += fmt::format(
      "\nThe corpus has {} passages; the knowledge base has {} pages. Query pages, redirects to them and copies of "
      "their "
      "texts are not in the knowledge base.\n\n",
      with_commas(numbers.passages), with_commas(numbers.knowledge_pages));
  out += health.empty() ? "" : health_card(health).substr(1) + "\n";
  if (baseline) out += baseline_card(*baseline).substr(1) + "\n";
  const ReleaseFileNames test{"test"};
  out += "## Files\n\n| file | content |\n|---|---|\n";
  const auto row = [&](std::string_view file, std::string_view content) {
    out += fmt::format("| `{}` | {} |\n", file, content);
  };
  row("{train,test}.pages.cbor", "query pages; likewise `fold-N-{train,test}` where there are folds");
  row(test.outlines(), "their titles and headings only: what systems may read");
  row(test.paragraphs(), "their passages as they stand in the pages");
  row("test.pages.cbor-{article,toplevel,hierarchical,tree}.qrels", "relevant passages");
  row("test.pages.cbor-{article,toplevel,hierarchical}.entity.qrels", "relevant entities");
  row(test.support_passages(), "passages that mention a relevant entity");
  row(test.clusters(), "clusters of passages by top-level section");
  row(test.entity_linking(), "links of passages, for entity linking");
  row(test.faceted_qrels(), "`topic facet docid grade`, for alpha_nDCG, ERR_IA and StRecall");
  row(kCorpusFile, "the corpus: the passages of all articles, in random order");
  row(std::string(kKnowledgeBase) + ".pages.cbor", "the knowledge base");
  row("*.jsonl-splits/", "the same as JSON lines");
  row("titles, topics, qids", "titles of the query pages, ids of topics and facets, QIDs");
  row(kEntityQidsFile, "QIDs of relevant entities, where they are known");
  row(kDuplicatesFile, "near-duplicates and the passages that stand for them in corpus and qrels");
  row(kIdMapFile, "ids of CAR and ids without ambiguity");
  row("trec/, beir/, hf/, ir_datasets/", "passage retrieval for today's tools, with ids without ambiguity");
  if (baseline) row("runs/", "a run of a baseline system on the titles of the test pages, and its scores");
  row("manifest.json, sha256sums.txt", "configuration, counts, digests");
  out += "\n## Source\n\n- Dump: " + plain(fmt::format("{}", fmt::join(info.dump_names, ", "))) + "\n";
  if (!info.dump_date.empty()) out += "- Newest revision: " + plain(info.dump_date) + "\n";
  out += "- Licence of the texts: " + plain(is_unknown(info.license) ? "unknown: see the wiki" : info.license) + "\n";
  out += "- Made by touchstone " + plain(info.program_version) + "\n";
  return out;
}

std::string license_text(const AutomaticInfo& info) {
  if (is_unknown(info.license)) {
    return "The texts of this collection are from " + source_of(info) +
           ". Their licence is not known to the program that made it (option wiki.license); the wiki states it.\n";
  }
  return "The texts of this collection are from " + source_of(info) + " and are available under " + info.license +
         ". Their authors are named in the histories of the pages there.\n";
}

AutomaticInfo read_automatic_info(const std::filesystem::path& directory) {
  const auto path = directory / kManifest.name;
  const Json manifest = parse_json_or_discard(read_file(path, kMaxManifestBytes));
  AutomaticInfo info;
  try {
    const Json& collection = manifest.at("collection");
    collection.at("name").get_to(info.name);
    collection.at("wiki").get_to(info.wiki);
    collection.at("site_name").get_to(info.site_name);
    collection.at("base_url").get_to(info.base_url);
    collection.at("language").get_to(info.language);
    collection.at("license").get_to(info.license);
    collection.at("dump_names").get_to(info.dump_names);
    collection.at("dump_date").get_to(info.dump_date);
    manifest.at("program").at("version").get_to(info.program_version);
    collection.at("folds").get_to(info.folds);
    collection.at("list_items").get_to(info.list_items);
    collection.at("captions").get_to(info.captions);
    constexpr std::string_view kOwn[] = {"format",  "format_version", "kind",     "program", "collection",
                                         "numbers", "health",         "baseline", "files"};
    Json build = Json::object();
    for (const auto& [name, value] : manifest.items()) {
      if (std::find(std::begin(kOwn), std::end(kOwn), name) == std::end(kOwn)) build[name] = value;
    }
    info.manifest_json = json_text(build);
  } catch (const Json::exception& error) {
    throw FormatError(path.string() + ": " + json_complaint(error) + "; export the collection again");
  }
  if (info.folds < 1 || info.folds > kMostFolds)
    throw FormatError(path.string() + " has a number of folds that cannot be; export the collection again");
  return info;
}

namespace {

/// Calls `read` with a part of manifest.json, unless it lacks the part.
template <class Found>
Found read_part(const std::filesystem::path& directory, const char* name, Found (*read)(const Json& part)) {
  const auto path = directory / kManifest.name;
  const Json manifest = parse_json_or_discard(read_file(path, kMaxManifestBytes));
  try {
    return manifest.contains(name) ? read(manifest.at(name)) : Found();
  } catch (const Json::exception& error) {
    throw FormatError(path.string() + ": " + json_complaint(error) + "; export the collection again");
  }
}

}  // namespace

std::vector<HealthCheck> read_automatic_health(const std::filesystem::path& directory) {
  return read_part<std::vector<HealthCheck>>(directory, "health", health_from);
}

std::optional<BaselineRun> read_automatic_baseline(const std::filesystem::path& directory) {
  return read_part<std::optional<BaselineRun>>(directory, "baseline",
                                               [](const Json& part) { return std::optional(baseline_from(part)); });
}

bool is_automatic(const std::filesystem::path& directory) {
  const auto path = directory / kManifest.name;
  if (!std::filesystem::is_regular_file(path)) return false;
  const Json manifest = parse_json_or_discard(read_file(path, kMaxManifestBytes));
  const auto kind = manifest.is_object() ? manifest.find("kind") : manifest.end();
  return manifest.is_object() && kind != manifest.end() && *kind == kAutomaticKind;
}

std::string automatic_manifest(const AutomaticInfo& info, const AutomaticNumbers& numbers,
                               const std::vector<FileEntry>& files, const std::vector<HealthCheck>& health,
                               const std::optional<BaselineRun>& baseline) {
  Json parts = Json::object();
  for (const auto& [name, part] : numbers.parts) {
    parts[name] = Json{{"pages", part.pages},
                       {"facets", part.facets},
                       {"toplevel_facets", part.toplevel_facets},
                       {"passages", level_json(part.passages)},
                       {"entities", level_json(part.entities)}};
  }
  Json entries = Json::array();
  for (const auto& file : files)
    entries.push_back(Json{{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  Json manifest{{"format", kCollectionFormatName},
                {"format_version", kCollectionFormatVersion},
                {"kind", kAutomaticKind},
                {"program", Json{{"name", "touchstone"}, {"version", info.program_version}}},
                {"collection", Json{{"name", info.name},
                                    {"wiki", info.wiki},
                                    {"site_name", info.site_name},
                                    {"base_url", info.base_url},
                                    {"language", info.language},
                                    {"license", info.license},
                                    {"dump_names", info.dump_names},
                                    {"dump_date", info.dump_date},
                                    {"folds", info.folds},
                                    {"list_items", info.list_items},
                                    {"captions", info.captions}}},
                {"numbers", Json{{"passages", numbers.passages},
                                 {"knowledge_pages", numbers.knowledge_pages},
                                 {"parts", std::move(parts)}}}};
  if (!health.empty()) manifest["health"] = health_json(health);
  if (baseline) manifest["baseline"] = baseline_json(*baseline);
  const Json build = parse_build_manifest(info.manifest_json);
  for (const auto& [name, value] : build.items()) manifest[name] = value;
  manifest["files"] = std::move(entries);
  return json_text(manifest, {.indent = 2}) + "\n";
}

}  // namespace touchstone::collection::automatic
