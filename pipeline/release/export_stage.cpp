#include "collection/collection.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/version.hpp"
#include "pipeline/corpus/passages.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/judging/stage/panel_config.hpp"
#include "pipeline/runner.hpp"
#include "pipeline/stage.hpp"
#include "storage/keys.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline {
namespace {

using Json = nlohmann::ordered_json;
using storage::Family;

/// What the judgments of one topic come to.
struct TopicTally {
  std::set<std::string> evidence;                                            ///< docids
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> members;  ///< page id -> candidates, evidence
};

class ExportStage : public Stage {
 public:
  StageReport run(StageContext& context) override {
    const TitleIndex titles(context.store);
    const std::string wiki = wiki_name(context.config, titles.site());
    const PassageComposer composer(context.store, context.config.passages, wiki);
    const auto groups = read_groups(context.paths.stage_file("groups.jsonl"));
    std::map<std::string, const Group*> kept;
    for (const auto& group : groups) {
      if (group.kept) kept.emplace(group.topic, &group);
    }
    const auto judgments_file = context.paths.stage_file("judgments.jsonl");
    const auto panel = judging::stage::describe_panel(context.config);
    const auto tallies = tally(judgments_file);
    const auto least = static_cast<std::size_t>(context.config.topics.min_evidence);
    std::map<std::string, const Group*> topics;
    for (const auto& [id, group] : kept) {
      const auto found = tallies.find(id);
      if (found != tallies.end() && found->second.evidence.size() >= least) topics.emplace(id, group);
    }

    StageReport report;
    formats::CollectionWriter writer(context.paths.collection(), info(context, titles, composer, wiki, panel));
    write_topics(context, topics, writer);
    write_members(titles, topics, tallies, writer);
    write_corpus(context, composer, writer, report);
    for_each_line(judgments_file, [&](std::string_view line, std::uint64_t number) {
      const auto judgment = judgment_from_line(line, judgments_file.string() + " line " + std::to_string(number));
      if (topics.contains(judgment.topic)) writer.add(judgment);
      return true;
    });
    write_discarded(context, groups, tallies, topics, writer);
    kill_point("export.before_finish");
    const auto numbers = writer.finish();
    report.counts["topics"] = numbers.topics;
    report.counts["topics discarded for too little evidence"] = kept.size() - topics.size();
    report.counts["members"] = numbers.members;
    report.counts["passages"] = numbers.passages;
    report.counts["qrels"] = numbers.qrels;
    report.counts["evidence"] = numbers.evidence;
    if (numbers.topics == 0)
      report.warnings.emplace_back(
          "the collection has no topic; collection/discarded.tsv says why each column and topic was left out");
    return report;
  }

 private:
  static std::map<std::string, TopicTally> tally(const std::filesystem::path& file) {
    std::map<std::string, TopicTally> tallies;
    for_each_line(file, [&](std::string_view line, std::uint64_t number) {
      const auto judgment = judgment_from_line(line, file.string() + " line " + std::to_string(number));
      auto& topic = tallies[judgment.topic];
      auto& [candidates, evidence] = topic.members[judgment.member_page_id];
      ++candidates;
      if (judgment.grade.value_or(0) > 0) {
        ++evidence;
        topic.evidence.insert(judgment.docid);
      }
      return true;
    });
    return tallies;
  }

  static formats::CollectionInfo info(StageContext& context, const TitleIndex& titles, const PassageComposer& composer,
                                      const std::string& wiki, const judging::PanelDescription& panel) {
    const auto& site = titles.site();
    formats::CollectionInfo info;
    std::string newest, dumps_json;
    context.store.get(Family::kMeta, kMetaNewestTimestamp, newest);
    context.store.get(Family::kMeta, kMetaDumps, dumps_json);
    info.dump_date = newest;
    std::string day;
    for (const char c : newest.substr(0, 10)) {
      if (c != '-') day.push_back(c);
    }
    info.name = context.config.exporting.name.empty() ? wiki + (day.empty() ? "" : "-" + day) + "-evidence"
                                                      : context.config.exporting.name;
    info.wiki = wiki;
    info.site_name = site.site_name;
    info.base_url = site.base_url;
    info.language = site.language;
    info.license = context.config.wiki.license;
    info.judge = panel.name();
    info.baseline_judge = panel.is_baseline();
    info.mode = context.config.groups.mode;
    info.corpus_scope = composer.description();
    info.program_version = program_version();
    Json dumps = Json::array();
    for (const auto& dump : decode_dumps(dumps_json)) {
      info.dump_names.push_back(dump.name);
      dumps.push_back({{"name", dump.name}, {"bytes", dump.bytes}, {"sha256", dump.sha256}});
    }
    Json manifest;
    manifest["dumps"] = dumps;
    Json config = Json::object();
    for (std::size_t i = 0; i < context.options.rows().size(); ++i) {
      const auto& row = context.options.rows()[i];
      if (row.affects_output) config[std::string(row.key)] = context.options.value_text(i);
    }
    manifest["config"] = config;
    Json stages = Json::object();
    for (const auto& stage : stage_table()) {
      std::string text;
      if (stage.name == "export" ||
          !context.store.get(Family::kMeta, std::string(kMetaStagePrefix) + std::string(stage.name), text))
        continue;
      const auto record = Json::parse(text, nullptr, false);
      if (record.is_discarded() || !record.contains("counts") || stage.name == "report") continue;
      stages[std::string(stage.name)] = {{"counts", record["counts"]}, {"rejected", record["rejected"]}};
    }
    manifest["stages"] = stages;
    if (const auto judging = panel.fingerprint(); !judging.empty()) manifest["judging"] = judging;
    info.manifest_json = manifest.dump(-1, ' ', false, Json::error_handler_t::replace);
    return info;
  }

  static void write_topics(StageContext& context, const std::map<std::string, const Group*>& topics,
                           formats::CollectionWriter& writer) {
    std::map<std::string, TopicQuery> queries;
    for (auto& query : read_queries(context.paths.stage_file("queries.jsonl")))
      queries.emplace(query.topic, std::move(query));
    for (const auto& [id, group] : topics) {
      const auto query = queries.find(id);
      if (query == queries.end()) throw FormatError("topic " + id + " has no query; run touchstone phrase again");
      formats::TopicRecord topic;
      topic.id = id;
      topic.query = query->second.query;
      topic.query_source = query->second.source;
      topic.structured = group->structured;
      topic.page = group->page;
      topic.page_id = group->page_id.value;
      topic.section_path = group->section_path;
      topic.column = group->column;
      writer.add(topic);
    }
  }

  static void write_members(const TitleIndex& titles, const std::map<std::string, const Group*>& topics,
                            const std::map<std::string, TopicTally>& tallies, formats::CollectionWriter& writer) {
    for (const auto& [id, group] : topics) {
      auto members = group->members;
      std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.title < b.title; });
      for (const auto& member : members) {
        formats::MemberRecord record;
        record.topic = id;
        record.title = member.title;
        record.page_id = member.page.value;
        record.qid = member.qid;
        for (const auto& redirect : titles.redirects_to(member.page, false))
          record.aliases.push_back(titles.prefixed(redirect));
        const auto& counted = tallies.at(id).members;
        if (const auto found = counted.find(member.page.value); found != counted.end()) {
          std::tie(record.candidates, record.evidence) = found->second;
        }
        writer.add(record);
      }
    }
  }

  static void write_corpus(StageContext& context, const PassageComposer& composer, formats::CollectionWriter& writer,
                           StageReport& report) {
    for (auto cursor = context.store.cursor(Family::kPage); cursor.valid(); cursor.next()) {
      const auto id = storage::read_page_key(cursor.key());
      if (!id) throw StorageError("the store holds a page key it should not; build it again");
      const auto page = storage::decode_page(cursor.value());
      if (page.title.ns != 0 || page.is_redirect || page.content != storage::PageContent::kRead) continue;
      context.stop.check();
      const auto passages = composer.passages(*id);
      if (passages.empty()) {
        report.reject("article without text in the corpus's scope", page.title.text);
        continue;
      }
      for (const auto& passage : passages) {
        formats::PassageRecord record;
        record.docid = composer.docid(*id, passage.ordinal);
        record.title = page.title.text;
        record.text = passage.text;
        record.page_id = id->value;
        record.ordinal = passage.ordinal;
        record.section_path = passage.section_path;
        writer.add(record);
        ++context.progress.records;
      }
    }
  }

  static void write_discarded(StageContext& context, const std::vector<Group>& groups,
                              const std::map<std::string, TopicTally>& tallies,
                              const std::map<std::string, const Group*>& topics, formats::CollectionWriter& writer) {
    for (const auto& group : groups) {
      if (topics.contains(group.topic) && group.kept) continue;
      formats::DiscardedRecord record;
      record.page = group.page;
      record.section_path = group.section_path;
      record.column = group.column;
      if (!group.kept) {
        record.kind = "column";
        record.reason = group.reason;
        record.detail = group.detail;
      } else {
        const auto found = tallies.find(group.topic);
        const auto evidence = found == tallies.end() ? 0 : found->second.evidence.size();
        record.kind = "topic";
        record.reason = "too little evidence";
        record.detail = fmt::format("{} passages, {} needed", evidence, context.config.topics.min_evidence);
      }
      writer.add(record);
    }
  }
};

class ReportStage : public Stage {
 public:
  StageReport run(StageContext& context) override {
    const std::string page =
        formats::render_report(context.paths.collection(), {}, read_file(context.paths.stage_file("judging.json")));
    write_file_atomically(context.paths.report(), page);
    StageReport report;
    report.counts["bytes"] = page.size();
    return report;
  }
};

}  // namespace

std::unique_ptr<Stage> make_export_stage() {
  return std::make_unique<ExportStage>();
}
std::unique_ptr<Stage> make_report_stage() {
  return std::make_unique<ReportStage>();
}

}  // namespace touchstone::pipeline
