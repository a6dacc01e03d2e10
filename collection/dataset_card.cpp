#include "collection/dataset_card.hpp"

#include "collection/collection_files.hpp"
#include "collection/collection_lines.hpp"
#include "formats/json/json_text.hpp"
#include "formats/text/field_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace touchstone::formats::internal {
namespace {

using nlohmann::ordered_json;

std::string fixed(double value, int digits) {
  char buffer[400];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits);
  return {buffer, end.ptr};
}

/// Text of a wiki inside Markdown: one line, and no character that Markdown or HTML would read as markup.
std::string markdown(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|#>~").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

/// A JSON string is a YAML string too, whatever it holds ("no" is a language, not a falsehood).
std::string yaml(std::string_view text) {
  std::string out;
  append_json_string(out, one_line(text));
  return out;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [&](char a, char b) { return lower(a) == lower(b); });
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// Whether it reads as an SPDX identifier of a family that wikis and textbooks use.
bool is_spdx(std::string_view license) {
  if (license.find(' ') != std::string_view::npos) return false;
  constexpr std::array<std::string_view, 4> kFamilies{"CC-BY", "CC0", "GFDL-", "ODbL-"};
  return std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return starts_with_ignoring_case(license, family); });
}

bool is_unknown(std::string_view license) {
  return is_blank(license) || starts_with_ignoring_case(license, "unknown");
}

std::string license_front_matter(const CollectionInfo& info) {
  if (is_unknown(info.license)) return "license: unknown\n";
  // The hub knows the identifiers of Creative Commons licences in lower case.
  if (starts_with_ignoring_case(info.license, "CC") && is_spdx(info.license)) {
    return "license: " + lower_case(info.license) + "\n";
  }
  return "license: other\nlicense_name: " + yaml(info.license) + "\n";
}

/// The hub's own categories.
std::string size_category(std::uint64_t passages) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 9> kCategories{{{1'000, "n<1K"},
                                                                              {10'000, "1K<n<10K"},
                                                                              {100'000, "10K<n<100K"},
                                                                              {1'000'000, "100K<n<1M"},
                                                                              {10'000'000, "1M<n<10M"},
                                                                              {100'000'000, "10M<n<100M"},
                                                                              {1'000'000'000, "100M<n<1B"},
                                                                              {10'000'000'000, "1B<n<10B"},
                                                                              {100'000'000'000, "10B<n<100B"}}};
  for (const auto& [limit, name] : kCategories) {
    if (passages < limit) return name;
  }
  return "100B<n<1T";
}

std::string front_matter(const CollectionInfo& info, const CollectionNumbers& numbers) {
  std::string out = "---\n";
  out += "pretty_name: " + yaml(info.name) + "\n";
  out += license_front_matter(info);
  if (!is_blank(info.language)) out += "language:\n- " + yaml(info.language) + "\n";
  out += "task_categories:\n- text-retrieval\n";
  out += "size_categories:\n- " + size_category(numbers.passages) + "\n";
  out += "tags:\n- information-retrieval\n- test-collection\n- evidence-retrieval\n";
  if (info.baseline_judge) out += "- baseline-labels\n";
  constexpr std::array<std::array<const char*, 3>, 3> kConfigs{{{"corpus", "corpus", "corpus.jsonl.gz"},
                                                                {"queries", "queries", "queries.jsonl"},
                                                                {"default", "test", "qrels/test.tsv"}}};
  out += "configs:\n";
  for (const auto& [name, split, path] : kConfigs) {
    out +=
        std::string("- config_name: ") + name + "\n  data_files:\n  - split: " + split + "\n    path: " + path + "\n";
  }
  return out + "---\n";
}

std::string row(std::string_view name, const std::string& value) {
  return "| " + std::string(name) + " | " + value + " |\n";
}

/// The date of an ISO 8601 time, empty when it is none.
std::string iso_date(std::string_view time) {
  const auto date = time.substr(0, 10);
  if (date.size() != 10 || date[4] != '-' || date[7] != '-') return "";
  for (std::size_t i = 0; i < date.size(); ++i) {
    if (i != 4 && i != 7 && (date[i] < '0' || date[i] > '9')) return "";
  }
  return std::string(date);
}

/// "2026.5.31": a semantic version made of the dump's date, so that the next dump's collection is a newer version.
std::string dataset_version(const CollectionInfo& info) {
  const std::string date = iso_date(info.dump_date);
  if (date.empty()) return "1.0.0";
  return std::to_string(std::stoi(date.substr(0, 4))) + "." + std::to_string(std::stoi(date.substr(5, 2))) + "." +
         std::to_string(std::stoi(date.substr(8, 2)));
}

std::string what_it_is(const CollectionInfo& info) {
  const std::string site = info.site_name.empty() ? info.wiki : info.site_name;
  return "A test collection for evidence retrieval, built from " + (site.empty() ? "a wiki" : site) +
         ". Each topic asks for all passages that give evidence that some article belongs to a group; a group is one "
         "column of a table in a list page, and its members are the articles that the column links to.";
}

ordered_json croissant_context() {
  return ordered_json::parse(R"({
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform"
  })");
}

struct CroissantField {
  const char* name;
  const char* type;
  const char* description;
  const char* references = nullptr;  ///< field of another record set
};

ordered_json record_set(const std::string& id, const char* description, const std::vector<std::string>& key,
                        const std::string& file, const std::vector<CroissantField>& fields) {
  ordered_json keys = ordered_json::array();
  for (const auto& name : key) keys.push_back(ordered_json{{"@id", id + "/" + name}});
  ordered_json set{{"@type", "cr:RecordSet"}, {"@id", id}, {"name", id}, {"description", description}};
  set["key"] = keys.size() == 1 ? keys[0] : keys;
  set["field"] = ordered_json::array();
  for (const auto& field : fields) {
    ordered_json entry{{"@type", "cr:Field"},
                       {"@id", id + "/" + field.name},
                       {"name", field.name},
                       {"description", field.description},
                       {"dataType", field.type}};
    entry["source"] =
        ordered_json{{"fileObject", ordered_json{{"@id", file}}}, {"extract", ordered_json{{"column", field.name}}}};
    if (field.references != nullptr) {
      entry["references"] = ordered_json{{"field", ordered_json{{"@id", field.references}}}};
    }
    set["field"].push_back(std::move(entry));
  }
  return set;
}

}  // namespace

std::string percent(double share) {
  return fixed(share * 100, 1) + " %";
}

std::string two_digits(double value) {
  return fixed(value, 2);
}

std::string with_commas(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string_view label_method() {
  return "For each member, every passage that links to the member's article or to one of its redirects was collected, "
         "and the member's own passages. Each (topic, member, passage) was then judged: would a report writer who "
         "collects all documents that directly confirm that this member belongs to this list and column include the "
         "passage? A passage is evidence for the topic (grade 1) when the answer is yes for at least one member, and "
         "grade 0 when it is no for all that were judged. A passage that nobody judged is absent from the qrels, never "
         "0.";
}

std::string label_statement(const CollectionInfo& info) {
  if (info.baseline_judge) {
    return "The labels are a BASELINE: they were given by the embedded rule-based judge, " + info.judge +
           ", which compares words; no human and no language model has read the passages. They show that the pipeline "
           "works and give other judges something to beat. Do not rank systems by them.";
  }
  return "The labels were given by the judge " + info.judge + ". Check a sample by hand before you rely on them.";
}

std::string dataset_card(const CollectionInfo& info, const CollectionNumbers& numbers) {
  std::string out = front_matter(info, numbers);
  out += "\n# " + markdown(info.name) + "\n\n";
  out += markdown(what_it_is(info)) + "\n\n";
  out += "> **" + std::string(info.baseline_judge ? "Baseline labels." : "Labels.") + "** " +
         markdown(label_statement(info)) + "\n\n";

  out += "## Numbers\n\n| | |\n|---|---:|\n";
  out += row("topics", with_commas(numbers.topics));
  out += row("members", with_commas(numbers.members) + " (" + with_commas(numbers.distinct_members) + " distinct)");
  out += row("members per topic: mean, median, range",
             two_digits(numbers.members_mean) + ", " + fixed(numbers.members_median, 1) + ", " +
                 with_commas(numbers.members_min) + "-" + with_commas(numbers.members_max));
  out += row("passages in the corpus", with_commas(numbers.passages));
  out +=
      row("judgments: yes, no, without grade", with_commas(numbers.judged_yes) + ", " + with_commas(numbers.judged_no) +
                                                   ", " + with_commas(numbers.unjudged));
  out += row("qrels (topic, passage)", with_commas(numbers.qrels));
  out += row("of these evidence", with_commas(numbers.evidence));
  out += row("evidence per topic: mean, median, range",
             two_digits(numbers.evidence_mean) + ", " + fixed(numbers.evidence_median, 1) + ", " +
                 with_commas(numbers.evidence_min) + "-" + with_commas(numbers.evidence_max));
  out += row("evidence outside the members' own articles", percent(numbers.outside_own_article));
  if (!numbers.buckets.empty()) {
    out += "\n| members per topic | topics | members | evidence | evidence per topic |\n|---|---:|---:|---:|---:|\n";
    for (const auto& bucket : numbers.buckets) {
      out += "| " + bucket.label + " | " + with_commas(bucket.topics) + " | " + with_commas(bucket.members) + " | " +
             with_commas(bucket.evidence) + " | " + two_digits(bucket.evidence_mean) + " |\n";
    }
  }
  if (!numbers.discarded.empty()) {
    out += "\nLeft out, and listed one by one in `discarded.tsv`:\n\n| reason | count |\n|---|---:|\n";
    for (const auto& [reason, count] : numbers.discarded) out += row(markdown(reason), with_commas(count));
  }

  out += "\n## How the labels came about\n\n" + markdown(label_method()) + "\n\n";
  out += "- Judge: " + markdown(info.judge) + "\n";
  out += "- Lists were read in `" + info.mode + "` mode; corpus: " + markdown(info.corpus_scope) + ".\n";
  out += "- Source: " + markdown(info.site_name.empty() ? info.wiki : info.site_name) +
         (info.base_url.empty() ? "" : " (" + markdown(info.base_url) + ")") +
         "; dump: " + markdown(joined(info.dump_names, ", ")) +
         (info.dump_date.empty() ? "" : "; newest revision " + markdown(info.dump_date)) + ".\n";
  out += "- Made by touchstone " + markdown(info.program_version) +
         "; configuration, counts and digests are in `manifest.json`.\n\n";

  out += "## Files\n\n| file | what it holds |\n|---|---|\n";
  for (const auto& file : kDataFiles) out += row("`" + std::string(file.name) + "`", std::string(file.summary));
  for (const auto& file : {kManifest, kCroissant, kCard, kDigests}) {
    out += row("`" + std::string(file.name) + "`", std::string(file.summary));
  }

  out += R"MD(
## How to load it

The BEIR reader, after `gunzip -k corpus.jsonl.gz`:

```python
from beir.datasets.data_loader import GenericDataLoader
corpus, queries, qrels = GenericDataLoader(".").load(split="test")
```

Hugging Face `datasets`:

```python
from datasets import load_dataset
corpus = load_dataset(".", "corpus", split="corpus")
qrels = load_dataset(".", "default", split="test")
```

Pyserini and trec_eval:

```sh
mkdir docs && zcat corpus.jsonl.gz | jq -c '{id: ._id, contents: (.title + "\n" + .text)}' > docs/docs-00000.jsonl
python -m pyserini.index.lucene --collection JsonCollection --input docs --index index \
  --generator DefaultLuceneDocumentGenerator --storeRaw
python -m pyserini.search.lucene --index index --topics topics.tsv --output run.txt --bm25
trec_eval -m map -m recall.100 qrels.txt run.txt
```

ir_datasets, after `zcat corpus.jsonl.gz | jq -r '"\(._id)\t\(.title). \(.text)"' > docs.tsv`:

```python
import ir_datasets
dataset = ir_datasets.create_dataset(docs_tsv="docs.tsv", queries_tsv="topics.tsv", qrels_trec="qrels.txt")
```

)MD";

  out += "## Licence of the texts\n\n";
  out += is_unknown(info.license)
             ? "The dump does not name a licence for its texts. Look it up at the wiki before you pass the passages "
               "on.\n\n"
             : "The passages and titles come from the wiki and are under its licence: " + markdown(info.license) +
                   ". Keep its attribution when you pass them on; each passage names its page.\n\n";

  out += "## Limits\n\n";
  if (info.baseline_judge) {
    out += "- The judge is a baseline: it sees words, not meaning, so labels are wrong in both directions.\n";
  }
  out +=
      "- Only passages that link to a member, or stand in its own article, were candidates. Evidence that names a "
      "member without a link is absent from the qrels; treat absent as not judged.\n"
      "- A list page may itself be wrong or out of date; membership is what the dump says.\n"
      "- The labels describe one dump. The next dump's collection is another version, not an addition.\n";
  return out;
}

std::string croissant(const CollectionInfo& info, const CollectionNumbers& numbers,
                      const std::vector<FileEntry>& files) {
  ordered_json json{{"@context", croissant_context()},
                    {"@type", "sc:Dataset"},
                    {"name", info.name},
                    {"description", what_it_is(info) + " " + label_statement(info)},
                    {"conformsTo", "http://mlcommons.org/croissant/1.0"}};
  const std::string site = info.site_name.empty() ? info.wiki : info.site_name;
  json["license"] = is_spdx(info.license)      ? "https://spdx.org/licenses/" + info.license + ".html"
                    : is_unknown(info.license) ? std::string("unknown; see the wiki")
                                               : info.license;
  if (!info.base_url.empty()) json["url"] = info.base_url;
  json["creator"] = ordered_json{{"@type", "sc:Organization"}, {"name", "Contributors of " + site}};
  const std::string date = iso_date(info.dump_date);
  if (!date.empty()) json["datePublished"] = date;
  json["version"] = dataset_version(info);
  if (!is_blank(info.language)) json["inLanguage"] = info.language;
  json["keywords"] = ordered_json::array({"information retrieval", "test collection", "evidence retrieval"});
  json["citeAs"] = info.name + ": an evidence retrieval collection with " + std::to_string(numbers.topics) +
                   " topics, built from " + joined(info.dump_names, ", ") + " by touchstone " + info.program_version +
                   ".";
  json["isLiveDataset"] = false;
  json["rai:dataCollection"] = std::string(label_method());
  json["rai:dataAnnotationProtocol"] = label_statement(info);
  json["rai:dataAnnotationPlatform"] = "touchstone " + info.program_version;
  json["rai:machineAnnotationTools"] = ordered_json::array({info.judge});
  json["rai:dataLimitations"] =
      "Only passages that link to a member, or stand in its own article, were judged; all others are not judged.";

  json["distribution"] = ordered_json::array();
  for (const auto& file : files) {
    const auto known = std::find_if(kDataFiles.begin(), kDataFiles.end(),
                                    [&](const CollectionFile& entry) { return entry.name == file.name; });
    json["distribution"].push_back(
        ordered_json{{"@type", "cr:FileObject"},
                     {"@id", file.name},
                     {"name", file.name},
                     {"description", known == kDataFiles.end() ? "" : std::string(known->summary)},
                     {"contentUrl", file.name},
                     {"contentSize", std::to_string(file.bytes) + " B"},
                     {"encodingFormat", known == kDataFiles.end() ? "" : std::string(known->encoding)},
                     {"sha256", file.sha256}});
  }

  json["recordSet"] = ordered_json::array(
      {record_set("corpus", "The passages.", {"_id"}, "corpus.jsonl.gz",
                  {{"_id", "sc:Text", "Docid."},
                   {"title", "sc:Text", "Title of the page."},
                   {"text", "sc:Text", "Text of the passage."}}),
       record_set("queries", "The topics.", {"_id"}, "queries.jsonl",
                  {{"_id", "sc:Text", "Topic id."}, {"text", "sc:Text", "Query."}}),
       record_set("qrels", "The grades: 1 is evidence, 0 was judged and is none.", {"query-id", "corpus-id"},
                  "qrels/test.tsv",
                  {{"query-id", "sc:Text", "Topic id.", "queries/_id"},
                   {"corpus-id", "sc:Text", "Docid.", "corpus/_id"},
                   {"score", "sc:Integer", "Grade."}}),
       record_set("members", "The members of each topic's group.", {"topic", "page_id"}, "members.jsonl",
                  {{"topic", "sc:Text", "Topic id.", "queries/_id"},
                   {"title", "sc:Text", "Title of the member's article."},
                   {"page_id", "sc:Integer", "Page id of the member's article."},
                   {"qid", "sc:Text", "Wikidata item, or null."},
                   {"candidates", "sc:Integer", "Passages proposed for the member."},
                   {"evidence", "sc:Integer", "Passages judged as evidence for the member."}}),
       record_set("judgments", "Every judgment of a (topic, member, passage).", {"topic", "member_page_id", "docid"},
                  "judgments.jsonl.gz",
                  {{"topic", "sc:Text", "Topic id.", "queries/_id"},
                   {"docid", "sc:Text", "Docid.", "corpus/_id"},
                   {"member", "sc:Text", "Title of the member's article."},
                   {"member_page_id", "sc:Integer", "Page id of the member's article."},
                   {"own_article", "sc:Boolean", "Whether the passage is from the member's own article."},
                   {"grade", "sc:Integer", "Grade, or null when there is none."},
                   {"probability", "sc:Float", "Probability of yes, or null."},
                   {"state", "sc:Text", "\"judged\", or why there is no grade."},
                   {"reason", "sc:Text", "What the judge says."},
                   {"judge", "sc:Text", "Who judged."}})});
  return pretty_json(json);
}

}  // namespace touchstone::formats::internal
