#include "collection/automatic/automatic_card.hpp"

#include "collection/automatic/automatic_files.hpp"
#include "collection/release/card.hpp"
#include "collection/release/license.hpp"
#include "common/number_text.hpp"
#include "formats/fields/one_line.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace touchstone::collection::automatic {
namespace {

std::uint64_t at_level(const LevelCounts& counts, QrelsLevel level) {
  return counts.at(static_cast<std::size_t>(level));
}

std::string source_of(const release::WikiFacts& wiki) {
  return wiki.title() + (wiki.base_url.empty() ? "" : " (" + wiki.base_url + ")");
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

using SplitFiles = std::vector<std::pair<std::string, std::string>>;  ///< split and path

std::string yaml_config(std::string_view name, const SplitFiles& files) {
  std::string out = fmt::format("- config_name: {}\n  data_files:\n", name);
  for (const auto& [split, path] : files) out += fmt::format("  - split: {}\n    path: {}\n", split, path);
  return out;
}

/// A paragraph on the licence of a wiki's texts. \param texts  "The texts of this collection are"
std::string license_of(const release::WikiFacts& wiki, std::string_view texts) {
  auto text = fmt::format("{} from {}", texts, source_of(wiki));
  if (release::is_unknown(wiki.license)) {
    return text +
           ". Their licence is not known to the program that made it (option wiki.license); look it up where they are "
           "from.\n";
  }
  text += " and are available under " + wiki.license;
  if (!text.ends_with('.')) text += '.';
  if (!wiki.base_url.empty()) text += " Their authors are named in the histories of the pages there.";
  return text + "\n";
}

/// What one line says of a licence, or of those of two sources.
std::string licenses_of(const AutomaticInfo& info) {
  const auto name = [](const release::WikiFacts& wiki) {
    return release::is_unknown(wiki.license) ? std::string("unknown: see the wiki") : wiki.license;
  };
  std::string text = name(info);
  for (const auto& wiki : info.knowledge) {
    if (name(wiki) != name(info)) text += fmt::format("; of pages of {}: {}", wiki.title(), name(wiki));
  }
  return text;
}

}  // namespace

std::string automatic_card(const Manifest& manifest) {
  const auto& [info, numbers, health, baseline, files] = manifest;
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
  out += health.empty() ? "" : release::health_card(health).substr(1) + "\n";
  if (baseline) out += release::baseline_card(*baseline).substr(1) + "\n";
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
  for (const auto& wiki : info.knowledge)
    out += fmt::format("- Knowledge base: also the pages of {}, from {}\n", plain(source_of(wiki)),
                       plain(fmt::format("{}", fmt::join(wiki.dump_names, ", "))));
  out += "- Licence of the texts: " + plain(licenses_of(info)) + "\n";
  out += "- Made by touchstone " + plain(info.program_version) + "\n";
  return out;
}

std::string license_text(const AutomaticInfo& info) {
  if (info.knowledge.empty()) return license_of(info, "The texts of this collection are");
  std::string text = license_of(info, "The texts of the query pages, and of other pages of the same source, are");
  for (const auto& wiki : info.knowledge)
    text += license_of(wiki, "The texts of pages whose id begins with \"" + wiki.wiki + ":\" are");
  return text;
}

release::CollectionFacts facts_for_hub(const AutomaticInfo& info) {
  release::CollectionFacts facts = info;
  if (!info.knowledge.empty() && !release::is_unknown(info.license)) facts.license = licenses_of(info);
  return facts;
}

std::string hub_card(const release::CollectionFacts& facts, const std::vector<std::string>& splits) {
  std::string out = "---\npretty_name: " + release::yaml(facts.name) + "\n";
  out += release::hub_license(facts.license);
  if (!facts.language.empty()) out += "language:\n- " + release::yaml(facts.language) + "\n";
  out +=
      "task_categories:\n- text-retrieval\ntags:\n- information-retrieval\n- test-collection\n- trec-car\nconfigs:\n";
  out += yaml_config("corpus", {{"corpus", "corpus.jsonl.gz"}});
  out += yaml_config("queries", {{"queries", "queries.jsonl.gz"}});
  for (const auto& [name, level] : kQrelsLevels) {
    SplitFiles files;
    for (const auto& split : splits) files.emplace_back(split, hub_qrels_name(name, split));
    out += yaml_config(level == kMainLevel ? "default" : name, files);
  }
  out += "---\n\n# " + formats::fields::one_line(facts.name) + "\n\n";
  out +=
      "Topics are the titles and headings of wiki pages. A passage is relevant for a heading if it stands below that "
      "heading in its page. The labels follow from the structure of the pages; nobody judged them.\n\n"
      "| configuration | topic | relevant passages |\n|---|---|---|\n"
      "| article | a page | all passages of the page |\n"
      "| toplevel | a section right below the page | all passages of the section |\n"
      "| default | a section | the passages right below its heading |\n"
      "| tree | a page or a section | all passages below it |\n\n"
      "In `article`, `toplevel` and `default`, passages of a page's lead are relevant for the page itself.\n";
  return out;
}

}  // namespace touchstone::collection::automatic
