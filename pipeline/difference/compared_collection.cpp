#include "pipeline/difference/compared_collection.hpp"

#include "collection/evidence/audit_records.hpp"
#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/manifest.hpp"
#include "collection/kinds.hpp"
#include "collection/release/files.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/trec/qrels.hpp"
#include "pipeline/difference/record_lines.hpp"
#include "retrieval/collection_source.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::difference {
namespace {

namespace fs = std::filesystem;
using internal::fail_at;
using internal::for_each_record;

bool has_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

std::string joined(const std::vector<std::string>& headings) {
  return fmt::format("{}", fmt::join(headings, " » "));
}

using Reader = collection::evidence::CollectionLineReader;
using Numbers = std::unordered_map<std::string, std::uint32_t>;

/// The part that all kinds of directories share: numbers for ids, labels, and the order of everything.
class Assembly {
 public:
  explicit Assembly(const fs::path& directory) {
    found_.directory = directory;
    found_.name = fs::path(directory).lexically_normal().filename().string();
  }
  ComparedCollection& collection() noexcept { return found_; }

  /// \pre all topics were added
  void number_topics() {
    std::sort(found_.topics.begin(), found_.topics.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    for (std::uint32_t i = 0; i < found_.topics.size(); ++i) topics_.emplace(found_.topics[i].id, i);
  }
  ComparedTopic* find_topic(const std::string& id) {
    const auto at = topics_.find(id);
    return at == topics_.end() ? nullptr : &found_.topics[at->second];
  }
  void add_passage(ComparedPassage passage) {
    passages_.emplace(passage.docid, static_cast<std::uint32_t>(found_.passages.size()));
    found_.passages.push_back(std::move(passage));
  }
  void add_label(const formats::trec::QrelRecord& record) {
    const auto topic = topics_.find(record.topic);
    const auto passage = passages_.find(record.docid);
    if (topic == topics_.end() || passage == passages_.end()) {
      ++found_.labels_without_parts;
      return;
    }
    found_.labels.push_back({topic->second, passage->second, record.grade});
  }
  /// \pre all labels were added
  void add_judgment(const std::string& topic, const std::string& docid, MemberLabel label) {
    const auto topic_at = topics_.find(topic);
    const auto passage_at = passages_.find(docid);
    if (topic_at == topics_.end() || passage_at == passages_.end()) return;
    judged_[{topic_at->second, passage_at->second}].push_back(std::move(label));
  }
  ComparedCollection take() {
    auto& labels = found_.labels;
    std::sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) {
      return std::tuple(a.topic, a.passage) < std::tuple(b.topic, b.passage);
    });
    for (auto& label : labels) {
      if (const auto at = judged_.find({label.topic, label.passage}); at != judged_.end())
        label.members = std::move(at->second);
    }
    return std::move(found_);
  }

 private:
  ComparedCollection found_;
  Numbers topics_, passages_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<MemberLabel>> judged_;
};

/// Judgments come by topic and member, so that those of a passage are by member.
void read_judgments(const fs::path& directory, Reader& reader, Assembly& assembly) {
  auto& history = assembly.collection().history;
  for_each_line(directory / "judgments.jsonl.gz", [&](std::string_view line, std::uint64_t number) {
    auto record = reader.judgment(line);
    if (!record) fail_at(directory / "judgments.jsonl.gz", number, record.error());
    MemberLabel label{
        record->member_page_id, record->grade, {}, record->source, collection::evidence::is_by_people(*record)};
    if (record->history) {
      label.reason = record->history->reason;
      if (!record->history->from.empty())
        history.moved.emplace(std::pair(record->topic, record->docid), record->history->from);
    }
    assembly.add_judgment(record->topic, record->docid, std::move(label));
    return true;
  });
  if (history.manifest.empty()) return;
  for_each_record(directory / "gone.jsonl", reader, &Reader::gone, [&](const collection::evidence::GoneRecord& gone) {
    history.gone[{gone.topic, gone.docid}].push_back({gone.member_page_id, gone.grade, gone.reason, {}});
  });
}

/// What the manifest says of options and judges.
void read_settings(const collection::evidence::CollectionInfo& info, ComparedCollection& found) {
  found.only_baselines = info.baseline_judge;
  found.judging = fmt::format("{} {}", info.judge, info.evidence_grade);
  const auto build = parse_json_or_discard(info.manifest_json);
  if (!build.is_object()) return;
  if (build.contains("judging")) found.judging += json_text(build["judging"]);
  if (!build.contains("config") || !build["config"].is_object()) return;
  for (const auto& [key, value] : build["config"].items()) {
    if (is_corpus_option(key))
      found.settings += fmt::format("{} {}\n", key, json_text(value));
    else if (key.starts_with("judge"))
      found.judging += fmt::format("{} {}\n", key, json_text(value));
  }
}

/// All that an evidence collection knows of its parts.
ComparedCollection read_evidence(const fs::path& directory) {
  const auto summary = collection::evidence::read_manifest(directory);
  Assembly assembly(directory);
  auto& found = assembly.collection();
  found.name = summary.info.name;
  found.wiki = summary.info.wiki;
  found.dump_date = summary.info.dump_date;
  found.manifest = sha256_file(directory / collection::release::kManifest.name);
  read_settings(summary.info, found);
  collection::evidence::CollectionLineReader reader;
  for_each_record(directory / "queries.jsonl", reader, &Reader::query,
                  [&](const collection::evidence::TopicRecord& topic) {
                    auto place = topic.section_path;
                    place.push_back(topic.column);
                    found.topics.push_back({topic.id, topic.query, topic.page_id, topic.page, joined(place), {}});
                  });
  assembly.number_topics();
  for_each_record(
      directory / "members.jsonl", reader, &Reader::member, [&](const collection::evidence::MemberRecord& member) {
        if (auto* topic = assembly.find_topic(member.topic))
          topic->members.push_back({member.page_id, member.title, fmt::format("{}", fmt::join(member.aliases, "\n"))});
      });
  for_each_record(directory / "corpus.jsonl.gz", reader, &Reader::passage,
                  [&](const collection::evidence::PassageRecord& passage) {
                    assembly.add_passage({passage.docid, passage.page_id, passage.revision, passage.title,
                                          joined(passage.section_path), xxh3_128(passage.text),
                                          xxh3_64(fmt::format("{}", fmt::join(passage.repeats, " ")))});
                    found.repeats.insert(passage.repeats.begin(), passage.repeats.end());
                  });
  formats::trec::for_each_qrel(directory / "qrels.txt",
                               [&](const auto& record, std::uint64_t) { assembly.add_label(record); });
  found.history.manifest = summary.info.previous_manifest;
  read_judgments(directory, reader, assembly);
  return assembly.take();
}

void read_beir_qrels(const fs::path& file, Assembly& assembly) {
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    if (number == 1) return true;  // a header, whatever it says
    const auto record = formats::beir::parse_qrel(line);
    if (!record) fail_at(file, number, record.error());
    assembly.add_label(*record);
    return true;
  });
}

/// A directory of any other kind: what retrieval reads, and its qrels.
ComparedCollection read_plain(const fs::path& directory) {
  Assembly assembly(directory);
  const auto source = retrieval::open_collection(directory, {});
  for (auto& topic : source->topics()) {
    ComparedTopic compared{std::move(topic.id), std::move(topic.text), 0, "", "", {}};
    assembly.collection().topics.push_back(std::move(compared));
  }
  assembly.number_topics();
  source->for_each_document([&](retrieval::Document&& document) {
    assembly.add_passage({std::move(document.id), 0, 0, std::move(document.page), "", xxh3_128(document.text)});
  });
  for (const fs::path name : {"trec/test.hierarchical.qrels", "qrels.txt", "qrels"}) {
    if (!has_file(directory / name)) continue;
    formats::trec::for_each_qrel(directory / name,
                                 [&](const auto& record, std::uint64_t) { assembly.add_label(record); });
    return assembly.take();
  }
  if (!has_file(directory / "qrels/test.tsv"))
    throw StorageError(
        fmt::format("{} has no qrels (qrels/test.tsv, qrels.txt or trec/test.hierarchical.qrels); two "
                    "collections are compared by their labels",
                    directory.string()));
  read_beir_qrels(directory / "qrels/test.tsv", assembly);
  return assembly.take();
}

}  // namespace

bool is_corpus_option(std::string_view key) {
  return !key.starts_with("judge") && !key.starts_with("export.") && key != "wiki.license" &&
         key != "previous.keep_near";
}

ComparedCollection read_compared_collection(const fs::path& directory) {
  collection::require_collection_directory(directory, "compare");
  const bool is_evidence = has_file(directory / "manifest.json") && has_file(directory / "members.jsonl");
  return is_evidence ? read_evidence(directory) : read_plain(directory);
}

}  // namespace touchstone::pipeline::difference
