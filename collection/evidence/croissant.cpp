#include "collection/evidence/croissant.hpp"

#include "collection/evidence/audit_texts.hpp"
#include "collection/evidence/collection_files.hpp"
#include "collection/evidence/descriptions.hpp"
#include "collection/evidence/embedded_texts.hpp"
#include "collection/release/license.hpp"
#include "collection/release/page_address.hpp"
#include "common/json_tree.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence {
namespace {

struct Field {
  std::string_view name, type, description;
  std::string_view references = {};  ///< field of another record set
};

struct RecordSet {
  std::string_view id, description;
  std::vector<std::string_view> key;
  std::string_view file;
  std::vector<Field> fields;
};

RecordSet gone_set() {
  return {"gone",
          "Labels of the collection before that this one does not have.",
          {"topic", "member_page_id", "docid"},
          "gone.jsonl",
          {{"topic", "sc:Text", "Topic id there."},
           {"docid", "sc:Text", "Docid there."},
           {"member", "sc:Text", "Title of the member's article there."},
           {"member_page_id", "sc:Integer", "Page id of the member's article."},
           {"grade", "sc:Integer", "Grade, or null when there was none."},
           {"reason", "sc:Text", "Why the label is not here."}}};
}

std::vector<RecordSet> record_sets() {
  return {{"corpus",
           "The passages.",
           {"_id"},
           "corpus.jsonl.gz",
           {{"_id", "sc:Text", "Docid."},
            {"title", "sc:Text", "Title of the page."},
            {"text", "sc:Text", "Text of the passage."}}},
          {"queries",
           "The topics.",
           {"_id"},
           "queries.jsonl",
           {{"_id", "sc:Text", "Topic id."}, {"text", "sc:Text", "Query."}}},
          {"qrels",
           "The grades: 1 is evidence, 0 is judged and no evidence.",
           {"query-id", "corpus-id"},
           "qrels/test.jsonl",
           {{"query-id", "sc:Text", "Topic id.", "queries/_id"},
            {"corpus-id", "sc:Text", "Docid.", "corpus/_id"},
            {"score", "sc:Integer", "Grade."}}},
          {"evidence",
           "Each (topic, member, passage) that is evidence.",
           {"topic", "member", "docid"},
           "evidence.jsonl",
           {{"query", "sc:Text", "Query."},
            {"topic", "sc:Text", "Topic id.", "queries/_id"},
            {"member", "sc:Text", "Title of the member's article."},
            {"qid", "sc:Text", "Wikidata item of the member, or null."},
            {"docid", "sc:Text", "Docid.", "corpus/_id"},
            {"title", "sc:Text", "Title of the passage's page."},
            {"url", "sc:URL", "The page as it was in the dump, or empty."},
            {"text", "sc:Text", "Text of the passage."},
            {"grade", "sc:Integer", "Grade."},
            {"probability", "sc:Float", "Probability of yes, or null."},
            {"judge", "sc:Text", "Who judged."}}},
          {"members",
           "The members of each topic's group.",
           {"topic", "page_id"},
           "members.jsonl",
           {{"topic", "sc:Text", "Topic id.", "queries/_id"},
            {"title", "sc:Text", "Title of the member's article."},
            {"page_id", "sc:Integer", "Page id of the member's article."},
            {"qid", "sc:Text", "Wikidata item, or null."},
            {"candidates", "sc:Integer", "Passages proposed for the member."},
            {"evidence", "sc:Integer", "Passages judged as evidence for the member."}}},
          {"judgments",
           "Every judgment of a (topic, member, passage).",
           {"topic", "member_page_id", "docid"},
           "judgments.jsonl.gz",
           {{"topic", "sc:Text", "Topic id.", "queries/_id"},
            {"docid", "sc:Text", "Docid.", "corpus/_id"},
            {"member", "sc:Text", "Title of the member's article."},
            {"member_page_id", "sc:Integer", "Page id of the member's article."},
            {"own_article", "sc:Boolean", "Whether the passage is from the member's own article."},
            {"source", "sc:Text", "Why the passage was proposed: own-article, link, mention or page."},
            {"grade", "sc:Integer", "Grade, or null when there is none."},
            {"probability", "sc:Float", "Probability of yes, or null."},
            {"state", "sc:Text", "\"judged\", or why there is no grade."},
            {"reason", "sc:Text", "What the judge says."},
            {"judge", "sc:Text", "Who judged."}}}};
}

/// {"@id": id}
JsonWriter& write_reference(JsonWriter& out, std::string_view id) {
  return out.begin_object().field("@id", id).end_object();
}

void write_field(JsonWriter& out, const RecordSet& set, const Field& field) {
  out.begin_object()
      .field("@type", "cr:Field")
      .field("@id", fmt::format("{}/{}", set.id, field.name))
      .field("name", field.name)
      .field("description", field.description)
      .field("dataType", field.type);
  out.key("source").begin_object();
  write_reference(out.key("fileObject"), set.file);
  out.key("extract").begin_object().field("column", field.name).end_object().end_object();
  if (!field.references.empty()) {
    out.key("references").begin_object();
    write_reference(out.key("field"), field.references).end_object();
  }
  out.end_object();
}

void write_record_set(JsonWriter& out, const RecordSet& set) {
  out.begin_object()
      .field("@type", "cr:RecordSet")
      .field("@id", set.id)
      .field("name", set.id)
      .field("description", set.description)
      .key("key");
  const bool several = set.key.size() > 1;
  if (several) out.begin_array();
  for (const auto name : set.key) write_reference(out, fmt::format("{}/{}", set.id, name));
  if (several) out.end_array();
  out.key("field").begin_array();
  for (const auto& field : set.fields) write_field(out, set, field);
  out.end_array().end_object();
}

void write_file(JsonWriter& out, const release::FileEntry& file) {
  const auto known = std::find_if(kDataFiles.begin(), kDataFiles.end(),
                                  [&](const release::CollectionFile& entry) { return entry.name == file.name; });
  const bool found = known != kDataFiles.end();
  out.begin_object()
      .field("@type", "cr:FileObject")
      .field("@id", file.name)
      .field("name", file.name)
      .field("description", found ? known->summary : "")
      .field("contentUrl", file.name)
      .field("contentSize", fmt::format("{} B", file.bytes))
      .field("encodingFormat", found ? known->encoding : "")
      .field("sha256", file.sha256)
      .end_object();
}

/// The date of an ISO 8601 time; empty if the text is not one.
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

/// How the labels came about, in the terms of the vocabulary for responsible AI.
void write_annotation(JsonWriter& out, const CollectionInfo& info) {
  out.field("rai:dataCollection", label_method(info))
      .field("rai:dataAnnotationProtocol", label_statement(info))
      .field("rai:dataAnnotationPlatform", "touchstone " + info.program_version)
      .field("rai:machineAnnotationTools", std::array{info.judge})
      .field(
          "rai:dataLimitations",
          "Only passages that link to a member, or stand in its own article, were judged; all others are not judged.");
  if (info.audit) out.field("rai:dataAnnotationAnalysis", audit_statement(*info.audit));
}

}  // namespace

std::string croissant(const Manifest& manifest) {
  const auto& [info, numbers, health, baseline, files] = manifest;
  JsonWriter out({.indent = 2});
  out.begin_object();
  write_json_tree(out.key("@context"), parse_json(croissant_context().front().text));
  out.field("@type", "sc:Dataset")
      .field("name", info.name)
      .field("description", what_it_is(info) + " " + label_statement(info))
      .field("conformsTo", "http://mlcommons.org/croissant/1.0");
  if (const auto url = release::license_url(info.license); !url.empty()) out.field("license", url);
  if (!release::article_address(info.base_url).empty()) out.field("url", info.base_url);
  out.key("creator")
      .begin_object()
      .field("@type", "sc:Organization")
      .field("name", "Contributors of " + info.title())
      .end_object();
  if (const std::string date = iso_date(info.dump_date); !date.empty()) out.field("datePublished", date);
  out.field("version", dataset_version(info));
  if (!formats::fields::is_blank(info.language)) out.field("inLanguage", info.language);
  out.field("keywords", std::array{"information retrieval", "test collection", "evidence retrieval"})
      .field("citeAs",
             fmt::format("{}: an evidence retrieval collection with {} topics, built from {} by touchstone {}.",
                         info.name, numbers.topics, fmt::join(info.dump_names, ", "), info.program_version))
      .field("isLiveDataset", false);
  write_annotation(out, info);
  out.key("distribution").begin_array();
  for (const auto& file : files) write_file(out, file);
  out.end_array().key("recordSet").begin_array();
  for (const auto& set : record_sets()) write_record_set(out, set);
  if (info.has_history()) write_record_set(out, gone_set());
  return out.end_array().end_object().take_line();
}

}  // namespace touchstone::collection::evidence
